using NzbDav.Conformance.Tests.Stubs;

namespace NzbDav.Mount.Tests;

public sealed class NodeTableTests
{
    private readonly NodeTable _nodes = new();

    private Node Root => _nodes.Find(NodeTable.RootId)!;

    [Fact]
    public void A_node_stays_until_the_kernel_has_forgotten_each_lookup_and_its_children()
    {
        var folder = _nodes.Hold(Root, "folder", new StubCollection("folder"));
        _nodes.Hold(Root, "folder", new StubCollection("folder"));
        var file = _nodes.Hold(folder, "file", new StubFile("file", new StubContent(1)));
        _nodes.Forget(folder.Id, 2);
        Assert.Equal("/folder/file", _nodes.PathOf(file)!.ToString());
        _nodes.Forget(file.Id, 1);
        Assert.Equal((1, null), (_nodes.Count, _nodes.Find(folder.Id)));
    }

    [Fact]
    public void Another_file_under_the_same_name_is_another_node_and_the_old_one_leads_nowhere()
    {
        var old = _nodes.Hold(Root, "film", new StubFile("film", new StubContent(1)));
        var current = _nodes.Hold(Root, "film", new StubFile("film", new StubContent(2)));
        Assert.NotEqual(old.Id, current.Id);
        Assert.Null(_nodes.PathOf(old));
        Assert.Equal("/film", _nodes.PathOf(current)!.ToString());
        _nodes.Forget(old.Id, 1);
        Assert.Equal("/film", _nodes.PathOf(current)!.ToString());
        _nodes.Forget(current.Id, 1);
        Assert.Equal(1, _nodes.Count);
    }

    [Fact]
    public void A_moved_folder_takes_all_below_it_along()
    {
        var from = _nodes.Hold(Root, "from", new StubCollection("from"));
        var to = _nodes.Hold(Root, "to", new StubCollection("to"));
        var job = _nodes.Hold(from, "job", new StubCollection("job"));
        var film = _nodes.Hold(job, "film", new StubFile("film", new StubContent(1)));
        _nodes.Move(from, "job", to, "renamed", "renamed");
        Assert.Equal("/to/renamed/film", _nodes.PathOf(film)!.ToString());
        _nodes.Detach(to, "renamed");
        Assert.Null(_nodes.PathOf(film));
    }

    [Fact]
    public void The_root_is_never_forgotten()
    {
        _nodes.Forget(NodeTable.RootId, 5);
        _nodes.Forget(99, 1);
        Assert.Equal(1, _nodes.Count);
    }
}
