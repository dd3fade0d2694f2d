class Thing {}
export = Thing;
export as namespace ThingLib;
