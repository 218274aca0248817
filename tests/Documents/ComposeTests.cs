using System.Text.RegularExpressions;

namespace NzbDav.Documents.Tests;

/// <summary>What the compose files give away.</summary>
public sealed partial class ComposeTests
{
    /// <summary>Sonarr, Radarr and Prowlarr ask for no password until one is set.</summary>
    [Fact]
    public void Other_programs_are_published_on_this_machine_alone()
    {
        var ports = Port().Matches(Read("compose.arrs.yml")).Select(static match => match.Groups[1].Value).ToArray();
        Assert.NotEmpty(ports);
        Assert.All(ports, static port => Assert.StartsWith("${ARRS_ADDRESS:-127.0.0.1}:", port, StringComparison.Ordinal));
    }

    /// <summary>Every user of a machine sees the arguments of all programs.</summary>
    [Fact]
    public void No_password_is_an_argument() => Assert.DoesNotMatch("obscure +\"?\\$", Read("compose.rclone.yml"));

    private static string Read(string name) => File.ReadAllText(Path.Combine(Repository.Root, "docker", name));

    [GeneratedRegex("""^ +- "([^"]*:\d+)"$""", RegexOptions.Multiline | RegexOptions.CultureInvariant, matchTimeoutMilliseconds: -1)]
    private static partial Regex Port();
}
