using NzbDav.Fakes;

namespace NzbDav.WebDav.Tests;

public class LockTableTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly LockTable _locks;

    public LockTableTests() => _locks = new(_time);

    [Fact]
    public void Holds_so_many_and_makes_room_when_they_run_out()
    {
        for (var i = 0; i < LockTable.MaxLocks; i++)
            Assert.Null(_locks.TryAdd(New($"/{i}"), TimeSpan.FromMinutes(1)));
        Assert.Empty(_locks.TryAdd(New("/more"), TimeSpan.FromMinutes(1))!);
        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.Null(_locks.TryAdd(New("/more"), TimeSpan.FromMinutes(1)));
        Assert.Single(_locks.Below(StorePath.Root));
    }

    [Fact]
    public void Is_empty_again_after_everything_was_freed()
    {
        Assert.True(_locks.IsEmpty);
        var one = New("/a/b");
        Assert.Null(_locks.TryAdd(one, TimeSpan.FromMinutes(1)));
        Assert.Null(_locks.TryAdd(New("/a/c"), TimeSpan.FromMinutes(1)));
        Assert.False(_locks.IsEmpty);
        Assert.True(_locks.TryRemove(one.Root, one.Token));
        Assert.False(_locks.TryRemove(one.Root, one.Token));
        _locks.RemoveAt(Path("/a"));
        Assert.True(_locks.IsEmpty);
        Assert.Empty(_locks.Covering(Path("/a/c")));
    }

    [Fact]
    public void Names_alike_are_other_places()
    {
        Assert.Null(_locks.TryAdd(New("/a", isDeep: true), TimeSpan.FromMinutes(1)));
        Assert.Single(_locks.Covering(Path("/a/x/y")));
        Assert.Empty(_locks.Covering(Path("/ab")));
        Assert.Empty(_locks.Covering(Path("/")));
        Assert.Null(_locks.TryAdd(New("/ab"), TimeSpan.FromMinutes(1)));
        Assert.Equal(["/a"], _locks.TryAdd(New("/a/x"), TimeSpan.FromMinutes(1))!.Select(held => held.Root.ToString()));
        Assert.Equal(2, _locks.TryAdd(New("/", isDeep: true), TimeSpan.FromMinutes(1))!.Count);
    }

    private static StorePath Path(string path) => StorePath.TryParse(path)!;

    private static DavLock New(string path, bool isDeep = false) => new()
    {
        Token = "opaquelocktoken:" + Guid.NewGuid(),
        Root = Path(path),
        IsCollection = false,
        Scope = LockScope.Exclusive,
        IsDeep = isDeep,
        Owner = null,
    };
}
