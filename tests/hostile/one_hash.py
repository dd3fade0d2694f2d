"""64,000 names that std::hash of libstdc++ takes for the same.

A name is one part of each list: all parts of a list lead the hash, MurmurHash64A with a seed that all
know, to the same state. They were found by trying: the second half of a part is computed from the first.
"""
import itertools

PARTS = [
    """
    mt__ZLZ989C2beKP G9vwvsmeEba7ltea Bh127BThOzoklRU5 _NszwrwHCtZydMr4 iNDRWUUOqsiqU_9e i5AU8YRlnDeiR8V5
    YnM6Qlckip3slOZ7 TZj8pxaeJBD1KZou br8ZwU0UfyTBRm5r QoR63SkllqQWsRCj XNaM3hJkyZhQsssN HBXRwgUBIg2qSaxC
    HfLgzJk0gAu3oiFN pZfMMprc_AF_0yZW uP33KQqYKIde4LSj Ud4JNuO5RJzF1Qwm WCUN83NNHyus2oKf EcqI8CABxAV66RzP
    l6T9WV0pYploLR0Y NNVUQxXamDh9dQmc uUYBMj3xN6TaDSRf XBUAIMsG5D7kN3Zb TARKdnRIE89IqBBL VGCk1_X70rYlnV8M
    z4OML84RG7uvt0iB iDWZYeXz2z4eDsKc YReubVU8LDt33Mz4 wznNVnpI66dh0p8j XJoxBIMGB3NCauQe z6t0yvEod9NKV8Io
    XHe3DtbuupwesClA LxZ_yM8f04ZLnQyO AOW3NAoOXFc2lPYW dR2C631J7HdX9Su3 mCb4b67CDq7HGOqW _4TCDxD85tjDo5Rj
    X_Vp9j85GYqB2BOV IX1JLWfRHgznsQYR qfOkzJHk4gsIF_41 sR4tV6pAKUZWVSa0""".split(),
    """
    CiH6XD9nXixozJaI iYoVITi9WDb55Gg1 PPjEApaIQTWf8I5y XDWXB5ndTTXwU5bF bp_utGUzJ9xkP_Bv GUcwPngcm2Syml26
    qux7hRHPlP4EKeHR OY_WbY6yznCF6s_g wq_DumGKHvtyt5jb VXwild2cgd6eHm89 ewbyliU2UEbCXkuN q7Xg0suh97xYizPM
    hFNK3EDG7svmAZzg TTHuhlDVxxcTiKWH yipbQSqtnMSlV4dn KFB6vV83PdjTftAJ XbPgGTsVmqdNYEMs pVQCOzgjbnoTyAEm
    I4BDhy_0nws_2AD7 E3DImzHfThgySDY3 OrLw8V3KHe17QUBm Fk73Q0NLs9WCK7o5 uZYlPWvld39crQcE VqUY1_WgH4rlzZOD
    jwxT42equZsJ_7yu HFk28FHVh6QOVsDK rQuZ3CxaeRlCIr8W Wj9XIeueIt2mhjAs oicDoppC6sR7kQEs FF1umZRmIYrlhiIJ
    PxyVRBiw4bjHWIs6 YtET1oZU4FFscxei PgbEbg3DX8hGpoFv zT0YZKZH4apN2uH7 iTUI2ZRIq6kIbpX0 MvptPirEKWD8LmmY
    Ad8mSiBkiQybVwx5 qxpWLcfWbtUbNVW3 QpBy7d6L4DD5sbVT RfxpmXQWorWaSCJw""".split(),
    """
    Gt7K9CGyRSCUchqV ZklpLUtxEPhCeEIu E4sBMjaZgJ9gSzaa sqmsRR_atocqEJhN rsPN5UdEqScjpi0D XKCORATrL8cBrEhd
    zXqiAsdJJFzP83Ad W0J38ttIYNF6JbkL f3WMzBpSg88am8EW oBbZJiszAycyBfAq E9iTq8WpXSMRNV4a SsaEsXPavsDr6hsL
    mwi9b4LKCAgCaIyL uRE0EbdHDkc6TVHn XaMUPG56PljsBKOv SKAD_SfHHEAtwvzd lCc6JRnwkRBEqmGc CVsyAJZ8cxDjVdan
    epxYOTluApL_yley qbFLskKxd69RfeIA b0R6MEpsm3FR1uQJ bPlS1DL57CcZPaVA cdIWVXxyolIWQYZV UAtN8JnZxmFTQazI
    vJ12q7iNqgp6e0pr RfD31jgo9xaKugA5 tc2ehigH9aj84zh4 jbi2soTL4yCYZUbi P12wGWBLtrnymcbZ u7x3MzryUMZptcq1
    TjosMkO151eGS5t9 Z4FREE_OchE5x2eN dUBRuvItNfcTZueE GICRGVXIfwnncre6 Ohq7i00aotOua4KS fJJwo6YmFwO1Suk3
    ChAfIt0j0nKOGoah b35gKSktaCJphpb_ r1228HCz2LsWkqgr j1Ave1RcYU2uW8Zu""".split(),
]


def names():
    """The names, in order."""
    return ["".join(parts) for parts in itertools.product(*PARTS)]
