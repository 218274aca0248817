using NzbDav.Catalog.Backup;

namespace NzbDav.Catalog.Tests.Backup;

public class FormerStateTests
{
    [Fact]
    public void A_former_state_needs_the_torrents_that_were_unneeded_right_after_the_restore()
    {
        using var folder = new ConfigFolder();
        Assert.Empty(FormerState.ListIn(folder.Options.ConfigFolder));
        var first = Former(folder, "before-restore-20300101T000000Z");
        Assert.Equal(["a", "b"], first.TorrentsOf(["a", "b"]).Order(StringComparer.Ordinal));
        Assert.Equal(["a", "b"], first.TorrentsOf(["c"]).Order(StringComparer.Ordinal));

        // A second restore.
        var second = Former(folder, "before-restore-20300102T000000Z");
        Assert.Equal([first, second], FormerState.ListIn(folder.Options.ConfigFolder));
        Assert.Empty(second.TorrentsOf([]));
        Assert.Empty(second.TorrentsOf(["d"]));
    }

    [Fact]
    public void A_folder_from_which_everything_was_moved_back_is_no_former_state()
    {
        using var folder = new ConfigFolder();
        var former = Former(folder, "before-restore-20300101T000000Z");
        File.Delete(Path.Combine(former.Folder, "nzbdav.sqlite"));
        Assert.Empty(FormerState.ListIn(folder.Options.ConfigFolder));
    }

    private static FormerState Former(ConfigFolder folder, string name)
    {
        var path = Directory.CreateDirectory(Path.Combine(folder.Options.ConfigFolder, name)).FullName;
        File.WriteAllText(Path.Combine(path, "nzbdav.sqlite"), "");
        return new FormerState(path);
    }
}
