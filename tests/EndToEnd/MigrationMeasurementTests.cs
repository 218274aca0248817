using System.Diagnostics;
using System.Globalization;
using System.Text;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Migration.Tests.Fixtures;

namespace NzbDav.EndToEnd.Tests;

/// <summary>
/// How long <c>nzbdav migrate</c> takes to read and queue a library. Prints its figures and asserts no times.
/// <c>NZBDAV_MEASURE_TITLES=5000</c> sets the number of titles; the default only shows that the measurement works.
/// </summary>
public sealed class MigrationMeasurementTests(ITestOutputHelper output)
{
    private const int Articles = 300;

    private static readonly int Titles = int.Parse(
        Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_TITLES"] as string ?? "50", CultureInfo.InvariantCulture);

    [Theory(Explicit = true)]
    [InlineData(NzbdavEra.Multipart)]
    [InlineData(NzbdavEra.Blobs)]
    public async Task An_nzbdav_library_is_read_and_queued(NzbdavEra era)
    {
        using var folder = new Folder();
        using var old = new Folder();
        using (var fixture = new NzbdavFixture(old.Path, era))
            fixture.InTransaction(() => Fill(fixture));
        string[] arguments = ["migrate", "--config", folder.Path, "--from", "nzbdav", old.Path, "--queue-only"];
        var dry = await MeasureAsync([.. arguments, "--dry-run"], $"Would be migrated {Titles}");
        var first = await MeasureAsync(arguments, $"Migrated {Titles}");
        var second = await MeasureAsync(arguments, "Migrated 0");
        output.WriteLine(
            $"{era}: {Titles} titles with {Articles} articles each: dry run {dry.TotalSeconds:f1} s, run {first.TotalSeconds:f1} s, " +
            $"second run {second.TotalSeconds:f1} s");
    }

    private static async Task<TimeSpan> MeasureAsync(string[] arguments, string expected)
    {
        var started = Stopwatch.GetTimestamp();
        var (exit, lines, errors) = await ServerProcess.RunAsync(new Dictionary<string, string>(StringComparer.Ordinal), arguments);
        var taken = Stopwatch.GetElapsedTime(started);
        Assert.True(exit == 0, string.Join('\n', [.. lines, .. errors]));
        Assert.Contains(lines, line => string.Join(' ', line.Replace(",", "", StringComparison.Ordinal)
            .Split(' ', StringSplitOptions.RemoveEmptyEntries)).StartsWith(expected, StringComparison.Ordinal));
        return taken;
    }

    private static void Fill(NzbdavFixture fixture)
    {
        for (var title = 0; title < Titles; title++)
        {
            var ids = Enumerable.Range(1, Articles)
                .Select(number => $"title{title}.part{number}of{Articles}.0123456789abcdef@news.example.com").ToArray();
            var size = (long)Articles * 716_800;
            var file = new FixtureFile($"Film {title}.mkv", size, [new FixturePart(ids, size, 0, size)]);
            fixture.Add(title % 2 == 0 ? "movies" : "tv", $"Film {title} (2020)", Encoding.UTF8.GetBytes(Nzb(file.Name, ids)), null, file);
        }
    }

    private static string Nzb(string name, string[] ids)
    {
        var text = new StringBuilder(
            "<?xml version=\"1.0\"?>\n<nzb xmlns=\"http://www.newzbin.com/DTD/2003/nzb\"><file poster=\"p\" date=\"1700000000\" " +
            "subject=\"&quot;").Append(name).Append("&quot; yEnc (1/").Append(ids.Length)
            .Append(")\"><groups><group>alt.binaries.test</group></groups><segments>");
        for (var i = 0; i < ids.Length; i++)
            text.Append("<segment bytes=\"739000\" number=\"").Append(i + 1).Append("\">").Append(ids[i]).Append("</segment>");
        return text.Append("</segments></file></nzb>").ToString();
    }
}
