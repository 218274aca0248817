using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Settings;

namespace NzbDav.EndToEnd.Tests.Settings;

/// <summary>Where the catalog is, which no stored setting can say.</summary>
public sealed class CatalogConnectionTests
{
    private const string Connection = "Host=db;Database=nzbdav";

    [Fact]
    public void The_environment_says_where_the_catalog_is_directly_or_in_a_file()
    {
        using var folder = new Folder();
        var file = Path.Combine(folder.Path, "secret");
        File.WriteAllText(file, Connection + "\n");
        var nothing = new Dictionary<string, string>(StringComparer.Ordinal);
        Assert.Null(Gateway.Sources(new Dictionary<string, string?>()).Read(nothing).Settings.Catalog("x").Connection);
        Assert.Equal(Connection, Gateway.Sources(new Dictionary<string, string?> { ["Catalog:Connection"] = Connection })
            .Read(nothing).Settings.Catalog("x").Connection);
        Assert.Equal(Connection, Gateway.Sources(new Dictionary<string, string?> { ["catalog:connection_FILE"] = file })
            .Read(nothing).Settings.Catalog("x").Connection);
    }

    [Fact]
    public void The_environment_says_in_which_folder_the_blobs_of_a_database_server_are()
    {
        using var folder = new Folder();
        var nothing = new Dictionary<string, string>(StringComparer.Ordinal);
        var file = Gateway.Sources(new Dictionary<string, string?> { ["Catalog:Blobs"] = folder.Path }).Read(nothing);
        Assert.Empty(file.Faults);
        Assert.Equal(Path.Combine("x", "blobs"), file.Settings.Catalog("x").BlobFolder);
        var server = Gateway.Sources(new Dictionary<string, string?>
        {
            ["Catalog:Blobs"] = folder.Path,
            ["Catalog:Connection"] = Connection
        }).Read(nothing).Settings.Catalog("x");
        Assert.Equal((folder.Path, false), (server.BlobFolder, server.HasBlobsInDatabase));
        Assert.True(Gateway.Sources(new Dictionary<string, string?> { ["Catalog:Connection"] = Connection })
            .Read(nothing).Settings.Catalog("x").HasBlobsInDatabase);
        var relative = Gateway.Sources(new Dictionary<string, string?> { ["Catalog:Blobs"] = "blobs" }).Read(nothing);
        Assert.Equal(new SettingFault("Catalog:Blobs", "'blobs' is not an absolute path."), Assert.Single(relative.Faults));
    }

    [Fact]
    public void A_stored_setting_cannot_say_it_and_no_page_lists_it()
    {
        var stored = new Dictionary<string, string>(StringComparer.Ordinal) { ["Catalog:Connection"] = Connection };
        var reading = Gateway.Sources(new Dictionary<string, string?>()).Read(stored);
        Assert.Equal(new SettingFault("Catalog:Connection", "there is no such setting."), Assert.Single(reading.Faults));
        Assert.Null(reading.Settings.Catalog("x").Connection);
        Assert.DoesNotContain(reading.Entries, static entry => entry.Path.StartsWith("Catalog", StringComparison.OrdinalIgnoreCase));
    }
}
