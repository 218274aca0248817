using NzbDav.Fakes;
using NzbDav.WebDav.Locks;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Tests;

public class LockTableTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly LockTable _locks;

    public LockTableTests() => _locks = new(_time);

    [Fact]
    public void The_number_of_locks_is_limited_and_expired_locks_make_room()
    {
        for (var i = 0; i < LockTable.MaxLocks; i++)
            Assert.Null(_locks.TryAdd(New($"/{i}"), TimeSpan.FromMinutes(1)));
        Assert.Empty(_locks.TryAdd(New("/more"), TimeSpan.FromMinutes(1))!);
        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.Null(_locks.TryAdd(New("/more"), TimeSpan.FromMinutes(1)));
        Assert.Single(_locks.Below(StorePath.Root));
    }

    [Fact]
    public void The_table_is_empty_once_all_locks_are_removed()
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
    public void Paths_with_a_common_name_prefix_do_not_conflict()
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
