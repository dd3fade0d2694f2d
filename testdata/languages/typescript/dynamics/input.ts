eval("code");
new Function("return 1");
object[name];
object["literal"];
object[0];
object[`key${name}`] = 1;
require(name);
import(`./${name}`);
