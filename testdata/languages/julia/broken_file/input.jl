before(x) = x

function damaged(x
    y = [1,
end

after(y) = before(
