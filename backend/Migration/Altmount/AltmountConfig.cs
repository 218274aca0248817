using System.Globalization;
using NzbDav.Migration.Titles;
using YamlDotNet.Core;
using YamlDotNet.RepresentationModel;

namespace NzbDav.Migration.Altmount;

/// <summary>altmount's <c>config.yaml</c>.</summary>
internal sealed class AltmountConfig
{
    private const int Longest = 4 << 20;
    private const int Deepest = 40;

    private readonly YamlMappingNode _root;

    private AltmountConfig(YamlMappingNode root) => _root = root;

    /// <summary>The folder of the tree, as the container sees it.</summary>
    public string MetadataPath => Text(_root, "metadata", "root_path") ?? "/config/metadata";

    /// <summary>The database, as the container sees it.</summary>
    public string DatabasePath => Text(_root, "database", "path") ?? "/config/altmount.db";

    /// <summary>The folder below the mount in which finished downloads lie; empty: the mount itself.</summary>
    public string CompleteFolder => (Text(_root, "sabnzbd", "complete_dir") ?? "").Trim('/');

    /// <summary>Names of categories by their folders.</summary>
    public IReadOnlyDictionary<string, string> CategoryFolders => Maps(_root, "sabnzbd", "categories")
        .Select(one => (Name: Text(one, "name") ?? "", Folder: Text(one, "dir")))
        .Where(one => one.Name.Length > 0)
        .GroupBy(one => (one.Folder is { Length: > 0 } folder ? folder : one.Name).Trim('/'), StringComparer.Ordinal)
        .ToDictionary(group => group.Key, group => group.First().Name, StringComparer.Ordinal);

    /// <exception cref="MigrationException">It is damaged.</exception>
    public static AltmountConfig Read(string path)
    {
        try
        {
            if (new FileInfo(path).Length > Longest)
                throw new MigrationException($"{path} is longer than {Longest >> 20} MiB: it is no configuration of altmount.");
            var text = File.ReadAllText(path);
            ThrowIfDeep(path, text);
            var stream = new YamlStream();
            stream.Load(new StringReader(text));
            return new AltmountConfig(stream.Documents is [{ RootNode: YamlMappingNode root }, ..] ? root : []);
        }
        catch (YamlException e)
        {
            throw new MigrationException($"{path} cannot be read: {e.Message} Mend it, or name another folder.", e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new MigrationException($"{path} cannot be read: {e.Message} Run this command as a user who may read that folder.", e);
        }
    }

    /// <summary>The settings that exist in this program too.</summary>
    public OldSettings Settings()
    {
        var left = new List<string>();
        if (Text(_root, "webdav", "password") is { Length: > 0 })
            left.Add("The WebDAV password: set NzbDav__WebDav__Username and NzbDav__WebDav__Password if clients shall keep theirs.");
        left.Add("The API key: this program makes its own. Enter it in Sonarr and Radarr, or let the page register this server there.");
        if ("STRM".Equals(Text(_root, "import", "import_strategy"), StringComparison.OrdinalIgnoreCase))
            left.Add("The .strm files: their addresses are altmount's. Run `nzbdav links rewrite DIR` on their folder.");
        var arrs = new List<OldArr>();
        foreach (var application in (string[])["Sonarr", "Radarr", "Lidarr"])
        {
            foreach (var one in Maps(_root, "arrs", application.ToLowerInvariant() + "_instances")
                .Where(one => Flag(one, "enabled", otherwise: true)))
            {
                if (Text(one, "url") is { Length: > 0 } url && Text(one, "api_key") is { Length: > 0 } key)
                    arrs.Add(new OldArr(application, Text(one, "name") ?? "", url, key, Text(one, "category")));
            }
        }

        foreach (var application in (string[])["readarr", "whisparr", "sportarr"])
        {
            if (Maps(_root, "arrs", application + "_instances").Any())
                left.Add($"The {application} instances: this program does not know {application}.");
        }

        var providers = Maps(_root, "providers").ToArray();
        left.AddRange(providers.Where(one => !Flag(one, "enabled", otherwise: true))
            .Select(one => $"The Usenet account {Text(one, "host")}: it is switched off there."));
        return new OldSettings
        {
            Providers = [.. providers.Where(one => Flag(one, "enabled", otherwise: true) && Text(one, "host") is { Length: > 0 })
                .Select(one => new OldProvider
            {
                Name = Text(one, "name") ?? "",
                Host = Text(one, "host")!,
                Port = Number(one, "port", 563),
                UseTls = Flag(one, "tls", otherwise: true),
                VerifyCertificate = !Flag(one, "insecure_tls", otherwise: false),
                User = Text(one, "username") ?? "",
                Password = Text(one, "password") ?? "",
                Connections = Number(one, "max_connections", 10),
                Priority = Flag(one, "is_backup_provider", otherwise: false) ? 1 : 0,
            })],
            Categories = [.. CategoryFolders.Values],
            Arrs = arrs,
            MountPath = Text(_root, "mount_path"),
            NotMigrated = left,
        };
    }

    /// <summary>Checks the nesting with the parser's events before a document is built, because building one recurses.</summary>
    private static void ThrowIfDeep(string path, string text)
    {
        var parser = new Parser(new StringReader(text));
        for (var depth = 0; parser.MoveNext();)
        {
            depth += parser.Current!.NestingIncrease;
            if (depth > Deepest)
                throw new MigrationException($"{path} is nested more than {Deepest} levels deep: it is no configuration of altmount.");
        }
    }

    private static YamlNode? Find(YamlMappingNode map, params ReadOnlySpan<string> path)
    {
        YamlNode? node = map;
        foreach (var name in path)
            node = node is YamlMappingNode inner
                ? inner.Children.FirstOrDefault(child => child.Key is YamlScalarNode key && key.Value == name).Value : null;
        return node;
    }

    private static string? Text(YamlMappingNode map, params ReadOnlySpan<string> path) =>
        (Find(map, path) as YamlScalarNode)?.Value is { Length: > 0 } text ? text : null;

    private static bool Flag(YamlMappingNode map, string name, bool otherwise) =>
        Text(map, name) is { } text ? text.Equals("true", StringComparison.OrdinalIgnoreCase) : otherwise;

    private static int Number(YamlMappingNode map, string name, int otherwise) =>
        int.TryParse(Text(map, name), NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : otherwise;

    private static IEnumerable<YamlMappingNode> Maps(YamlMappingNode map, params ReadOnlySpan<string> path) =>
        Find(map, path) is YamlSequenceNode list ? list.Children.OfType<YamlMappingNode>() : [];
}
