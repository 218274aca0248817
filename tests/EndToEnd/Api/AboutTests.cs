using System.Net;
using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.About;

namespace NzbDav.EndToEnd.Tests.Api;

/// <summary>Version, licences and changes that the program reports.</summary>
public sealed class AboutTests
{
    [Fact]
    public void Every_shipped_package_is_listed_with_its_version()
    {
        using var deps = JsonDocument.Parse(File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "nzbdav.deps.json")));
        var ships = deps.RootElement.GetProperty("libraries").EnumerateObject()
            .Where(library => library.Value.GetProperty("type").GetString() == "package").Select(library => library.Name.Replace('/', ' '));
        var listed = Licences.All.Where(licence => licence.Name != ".NET and ASP.NET Core")
            .Select(licence => $"{licence.Name} {licence.Version}");
        Assert.Equal(ships.Order(StringComparer.OrdinalIgnoreCase), listed.Order(StringComparer.OrdinalIgnoreCase));
        Assert.All(Licences.All, licence => Assert.NotEmpty(licence.Licence));
    }

    [Fact]
    public async Task The_licence_text_of_every_package_is_served()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var client = OperatorClient.Of(gateway);
        var notices = System.Text.Encoding.UTF8.GetString(await client.DownloadAsync("/api/v1/about/notices"));
        var sections = notices.Split(new string('=', 78) + "\n");
        Assert.All(Licences.All, licence =>
        {
            var place = Array.FindIndex(
                sections, section => section.Split('\n').Any(line => line.TrimEnd() == licence.Name || line.StartsWith(
                licence.Name + "  ", StringComparison.Ordinal) || line.StartsWith(licence.Name + " Copyright", StringComparison.Ordinal)));
            Assert.True(place > 0, licence.Name);
            Assert.Contains(licence.Licence, sections[place - 1], StringComparison.Ordinal);
        });
        foreach (var text in (string[])["Apache License", "END OF TERMS AND CONDITIONS", "Permission is hereby granted, free of charge",
            "Neither the name of the copyright holder", "May you share freely"])
            Assert.Contains(text, notices, StringComparison.Ordinal);
    }

    [Fact]
    public void Changes_are_read_by_version_and_point()
    {
        var changes = Changes.Read(
            "# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- Zero.\n\n## [0.2.0] - 2026-02-03\n\n### Added\n\n- One\n  thing.\n\n### " +
            "Changed\n\n- Two.\n\n## [0.1.0]\n\nText.\n- Three.\n");
        Assert.Equal([("Unreleased", null), ("0.2.0", "2026-02-03"), ("0.1.0", null)], changes.Select(one => (one.Version, one.Date)));
        Assert.Equal(["Zero."], changes[0].Points);
        Assert.Equal(["One thing.", "Two."], changes[1].Points);
        Assert.Equal(["Three."], changes[2].Points);
    }

    [Fact]
    public void The_changelog_has_an_entry_for_this_version()
    {
        var own = Assert.Single(Changes.All, one => one.Version == Build.Version);
        Assert.NotEmpty(own.Points);
    }

    [Fact]
    public async Task The_page_gets_the_version_licences_and_changes()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var client = OperatorClient.Of(gateway);
        var (status, about) = await client.AskAsync("GET", "/api/v1/about");
        Assert.Equal(HttpStatusCode.OK, status);
        Assert.Equal(Build.Version, about.GetProperty("version").GetString());
        Assert.Contains(about.GetProperty("licences").EnumerateArray(),
            licence => licence.GetProperty("name").GetString() == "Dapper" && licence.GetProperty("licence").GetString() == "Apache-2.0");
        Assert.NotEqual(0, about.GetProperty("changes")[0].GetProperty("points").GetArrayLength());
        Assert.True(about.GetProperty("started").GetDateTimeOffset() <= TimeProvider.System.GetUtcNow());
    }
}
