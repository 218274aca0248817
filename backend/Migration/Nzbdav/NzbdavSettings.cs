using System.Text.Json;
using NzbDav.Migration.Database;
using NzbDav.Migration.Titles;

namespace NzbDav.Migration.Nzbdav;

/// <summary>Reads <c>ConfigItems</c> of nzbdav and its forks. Environment variables of its container are not visible.</summary>
internal static class NzbdavSettings
{
    /// <summary>Its default categories.</summary>
    private const string Categories = "audio,software,tv,movies";

    public static OldSettings Read(OldDatabase database)
    {
        var values = database.List<(string? Name, string? Value)>(
            "SELECT ConfigName, ConfigValue FROM ConfigItems WHERE length(ConfigValue) <= 1048576")
            .Where(row => !string.IsNullOrEmpty(row.Name) && !string.IsNullOrEmpty(row.Value))
            .GroupBy(row => row.Name!, StringComparer.OrdinalIgnoreCase)
            .ToDictionary(group => group.Key, group => group.Last().Value!, StringComparer.OrdinalIgnoreCase);
        var left = new List<string>();
        if (values.ContainsKey("webdav.pass"))
            left.Add(
                "The WebDAV password: the other program keeps only a hash of it. Set NzbDav__WebDav__Username and " +
                "NzbDav__WebDav__Password.");
        if (values.ContainsKey("api.key"))
            left.Add("The API key: this program makes its own. Enter it in Sonarr and Radarr, or let the page register this server there.");
        if (values.TryGetValue("api.import-strategy", out var strategy) && strategy.Equals("strm", StringComparison.OrdinalIgnoreCase))
            left.Add(
                "The .strm files: they play if this server has the old host name and port. Otherwise run `nzbdav links rewrite DIR` on " +
                "their folder.");
        return new OldSettings
        {
            Providers = [.. Providers(values, left)],
            Categories = values.GetValueOrDefault("api.categories", Categories)
                .Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries),
            Arrs = [.. Arrs(values, left)],
            MountPath = values.GetValueOrDefault("rclone.mount-dir"),
            NotMigrated = left,
        };
    }

    private static List<OldProvider> Providers(Dictionary<string, string> values, List<string> left)
    {
        var providers = new List<OldProvider>();
        if (values.TryGetValue("usenet.providers", out var json))
        {
            foreach (var one in Elements(json, "Providers", "The Usenet accounts (usenet.providers)", left))
            {
                // 0 off, 1 pool, 2 backup and statistics, 3 backup only.
                var type = (int)Number(one, "Type", 1);
                if (type == 0)
                    left.Add($"The Usenet account {Text(one, "Host")}: it is switched off there.");
                else if (Text(one, "Host") is { Length: > 0 } host)
                    providers.Add(new OldProvider
                    {
                        Name = Text(one, "Nickname"),
                        Host = host,
                        Port = (int)Number(one, "Port", 563),
                        UseTls = Flag(one, "UseSsl", otherwise: true),
                        VerifyCertificate = !Flag(one, "SkipTlsVerification", otherwise: false),
                        User = Text(one, "User"),
                        Password = Text(one, "Pass"),
                        Connections = (int)Number(one, "MaxConnections", 10),
                        Priority = type == 1 ? 0 : 1,
                        BackupOnly = type == 3,
                    });
            }
        }
        else if (values.TryGetValue("usenet.host", out var host))
        {
            providers.Add(new OldProvider
            {
                Host = host,
                Port = Whole(values.GetValueOrDefault("usenet.port"), 563),
                UseTls = !values.GetValueOrDefault("usenet.use-ssl", "true").Equals("false", StringComparison.OrdinalIgnoreCase),
                User = values.GetValueOrDefault("usenet.user", ""),
                Password = values.GetValueOrDefault("usenet.pass", ""),
                Connections = Whole(values.GetValueOrDefault("usenet.connections"), 10),
            });
        }

        return providers;
    }

    private static List<OldArr> Arrs(Dictionary<string, string> values, List<string> left)
    {
        var arrs = new List<OldArr>();
        if (!values.TryGetValue("arr.instances", out var json))
            return arrs;
        foreach (var application in (string[])["Sonarr", "Radarr", "Lidarr"])
        {
            foreach (var one in Elements(json, application + "Instances", "The *arrs (arr.instances)", left))
            {
                if (Flag(one, "Enabled", otherwise: true) && Text(one, "Host") is { Length: > 0 } url
                    && Text(one, "ApiKey") is { Length: > 0 } key)
                    arrs.Add(new OldArr(application, Text(one, "Name"), url, key, Category: null));
            }
        }

        return arrs;
    }

    private static List<JsonElement> Elements(string json, string list, string what, List<string> left)
    {
        try
        {
            using var document = JsonDocument.Parse(json);
            return document.RootElement.ValueKind == JsonValueKind.Object && document.RootElement.TryGetProperty(list, out var elements)
                && elements.ValueKind == JsonValueKind.Array
                ? [.. elements.EnumerateArray().Where(one => one.ValueKind == JsonValueKind.Object).Select(one => one.Clone())]
                : [];
        }
        catch (JsonException e)
        {
            left.Add($"{what}: they cannot be read ({e.Message.TrimEnd('.')}). Enter them anew.");
            return [];
        }
    }

    private static string Text(JsonElement one, string name) =>
        one.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String ? value.GetString() ?? "" : "";

    private static bool Flag(JsonElement one, string name, bool otherwise) => one.TryGetProperty(name, out var value)
        && value.ValueKind is JsonValueKind.True or JsonValueKind.False ? value.GetBoolean() : otherwise;

    private static long Number(JsonElement one, string name, int otherwise) => one.TryGetProperty(name, out var value)
        && value.ValueKind == JsonValueKind.Number && value.TryGetInt32(out var number) ? number : otherwise;

    private static int Whole(string? text, int otherwise) => int.TryParse(text, System.Globalization.NumberStyles.None,
        System.Globalization.CultureInfo.InvariantCulture, out var number) ? number : otherwise;
}
