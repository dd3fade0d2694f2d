"""Runs a command where the system does not say whose a socket is, as in some sandboxes.

    python3 without_netlink.py codexmem worker run
"""
import ctypes
import os
import platform
import socket
import sys


class Step(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint16), ("jt", ctypes.c_uint8), ("jf", ctypes.c_uint8),
                ("k", ctypes.c_uint32)]


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("steps", ctypes.POINTER(Step))]


def refuse_netlink():
    """Has socket(AF_NETLINK, ...) fail with EAFNOSUPPORT from now on, by seccomp(2)."""
    socket_call = {"x86_64": 41, "aarch64": 198}[platform.machine()]
    allow, refuse = 0x7FFF0000, 0x00050000 | 97
    load, if_equal, give = 0x20, 0x15, 0x06
    steps = [(load, 0, 0, 0), (if_equal, 0, 3, socket_call), (load, 0, 0, 16),
             (if_equal, 0, 1, socket.AF_NETLINK), (give, 0, 0, refuse), (give, 0, 0, allow)]
    program = Filter(len(steps), (Step * len(steps))(*steps))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    no_new_privileges, seccomp, filter_mode = 38, 22, 2
    if prctl(no_new_privileges, 1, 0, 0, 0) or prctl(seccomp, filter_mode, ctypes.byref(program)):
        raise OSError(ctypes.get_errno(), "no filter of system calls")


if __name__ == "__main__":
    refuse_netlink()
    os.execv(sys.argv[1], sys.argv[1:])
