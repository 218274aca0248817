using System.Text.Json;
using NzbDav.Arr.Client;
using NzbDav.Arr.Queue;
using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Setup;

/// <summary>
/// Registers this gateway in an application as its SABnzbd, for posts, or as its qBittorrent, for torrents: the "configure for me" of the
/// interface. Another call updates the existing definition and adds nothing twice. Thread-safe.
/// </summary>
public sealed class ArrSetup
{
    private const string ForPosts = "Sabnzbd";
    private const string ForTorrents = "QBittorrent";

    /// <summary>User name for qBittorrent. The gateway accepts any: the key is the password.</summary>
    private const string Username = "nzbdav";

    private readonly ArrClient _client;

    /// <param name="client">The application; not disposed.</param>
    public ArrSetup(ArrClient client)
    {
        ArgumentNullException.ThrowIfNull(client);
        _client = client;
    }

    /// <summary>Tests and saves the definition, then saves the path mapping, then checks how the application handles downloads.</summary>
    /// <param name="address">How the application reaches the gateway.</param>
    /// <param name="cancellationToken">Ends the operation between two calls or during one.</param>
    /// <returns>What was done. If the test fails, nothing has been changed.</returns>
    public async Task<ArrResult<SetupReport>> RegisterAsync(GatewayAddress address, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(address);
        if (address.Problem() is { } problem)
            return new(new ArrError(ArrErrorKind.Rejected, problem));

        var identity = await _client.SystemStatusAsync(cancellationToken);
        if (!identity.Succeeded)
            return new(identity.Error);
        var existing = await _client.DownloadClientsAsync(cancellationToken);
        if (!existing.Succeeded)
            return new(existing.Error);

        var own = existing.Value.FirstOrDefault(client => IsOurs(client, address));
        var definition = own is null
            ? await TemplateAsync(ImplementationOf(address), cancellationToken) : new ArrResult<DownloadClient>(own);
        if (!definition.Succeeded)
            return new(definition.Error);
        var filled = Fill(definition.Value, address);
        if (!filled.Succeeded)
            return new(filled.Error);

        if (await _client.TestDownloadClientAsync(filled.Value, cancellationToken) is { } refused)
            return new(refused);
        var saved = await _client.SaveDownloadClientAsync(filled.Value, cancellationToken);
        if (!saved.Succeeded)
            return new(saved.Error);

        var warnings = new List<string>();
        await MapPathsAsync(address, warnings, cancellationToken);
        await CheckConfigAsync(warnings, cancellationToken);
        return new(new SetupReport(saved.Value, own is null, warnings));
    }

    /// <summary>
    /// What is wrong with the folder of completed downloads, as the application sees it; null if it sees it or cannot be asked.
    /// </summary>
    /// <param name="completed">Path of the folder as the gateway reports it.</param>
    /// <param name="cancellationToken">Ends the operation.</param>
    public async Task<string?> CheckFolderAsync(string completed, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(completed);
        var mappings = await _client.RemotePathMappingsAsync(cancellationToken);
        if (!mappings.Succeeded)
            return null;
        var mapped = mappings.Value.Where(mapping => IsBelow(completed, mapping.RemotePath))
            .Select(mapping => mapping.LocalPath.TrimEnd('/', '\\') + completed[mapping.RemotePath.TrimEnd('/', '\\').Length..]);
        ArrError? problem = null;
        foreach (var path in mapped.DefaultIfEmpty(completed).Distinct(StringComparer.Ordinal))
        {
            var (sees, error) = await _client.SeesAsync(path, cancellationToken);
            if (sees || error is not null)
                return null;
            problem ??= QueueRules.PathNotSeen(_client, path);
        }

        return problem?.Message;
    }

    private static bool IsBelow(string path, string folder) =>
        folder.TrimEnd('/', '\\') is { Length: > 0 } above
            && (SamePath(path, folder) || path.StartsWith(above + '/', StringComparison.Ordinal));

    private static string ImplementationOf(GatewayAddress address) => address.IsForTorrents ? ForTorrents : ForPosts;

    private static bool IsOurs(DownloadClient client, GatewayAddress address) =>
        client.Implementation.Equals(ImplementationOf(address), StringComparison.OrdinalIgnoreCase)
        && (string.Equals(client.Name, address.Name, StringComparison.OrdinalIgnoreCase)
            || (string.Equals(client.Text("host"), address.Host, StringComparison.OrdinalIgnoreCase)
                && client.Text("port") == Number(address.Port).ToString()
                && string.Equals(
                    (client.Text("urlBase") ?? string.Empty).Trim('/'), address.UrlBase.Trim('/'), StringComparison.OrdinalIgnoreCase)));

    private static JsonElement Text(string value) => JsonSerializer.SerializeToElement(value, ArrJson.Default.String);

    private static JsonElement Number(int value) => JsonSerializer.SerializeToElement(value, ArrJson.Default.Int32);

    private static JsonElement Flag(bool value) => JsonSerializer.SerializeToElement(value, ArrJson.Default.Boolean);

    private async Task<ArrResult<DownloadClient>> TemplateAsync(string implementation, CancellationToken cancellationToken)
    {
        var schemas = await _client.DownloadClientSchemasAsync(cancellationToken);
        if (!schemas.Succeeded)
            return new(schemas.Error);
        return schemas.Value.FirstOrDefault(
            schema => schema.Implementation.Equals(implementation, StringComparison.OrdinalIgnoreCase)) is { } template
            ? new(template)
            : new(new ArrError(
                ArrErrorKind.NotSupported, $"{_client.Options} has no download client of type {implementation}: is it up to date?"));
    }

    private ArrResult<DownloadClient> Fill(DownloadClient definition, GatewayAddress address)
    {
        var wanted = new Dictionary<string, JsonElement>(StringComparer.OrdinalIgnoreCase)
        {
            ["host"] = Text(address.Host),
            ["port"] = Number(address.Port),
            ["useSsl"] = Flag(address.UseSsl),
            ["urlBase"] = Text(address.UrlBase),
            [_client.Dialect.CategoryField] = Text(address.Category),
        };
        if (address.IsForTorrents)
            (wanted["username"], wanted["password"]) = (Text(Username), Text(address.ApiKey));
        else
            wanted["apiKey"] = Text(address.ApiKey);
        var fields = definition.Fields.Select(field => wanted.Remove(field.Name, out var value) ? field with { Value = value } : field)
            .ToArray();
        if (wanted.Count > 0)
        {
            return new(new ArrError(
                ArrErrorKind.NotSupported,
                $"{_client.Options}: its {definition.Implementation} client has no field {string.Join(", ", wanted.Keys)}; add the " +
                $"client by hand."));
        }

        return new(definition with { Name = address.Name, Enable = true, Fields = fields });
    }

    private async Task MapPathsAsync(GatewayAddress address, List<string> warnings, CancellationToken cancellationToken)
    {
        if (address.RemotePath is not { } remote || address.LocalPath is not { } local)
            return;
        var mappings = await _client.RemotePathMappingsAsync(cancellationToken);
        if (!mappings.Succeeded)
        {
            warnings.Add($"The path mapping could not be checked. {mappings.Error.Message}");
            return;
        }

        var existing = mappings.Value.FirstOrDefault(mapping =>
            mapping.Host.Equals(address.Host, StringComparison.OrdinalIgnoreCase) && SamePath(mapping.RemotePath, remote));
        if (existing is not null && SamePath(existing.LocalPath, local))
            return;
        var saved = await _client.SaveRemotePathMappingAsync(
            new RemotePathMapping { Id = existing?.Id ?? 0, Host = address.Host, RemotePath = remote, LocalPath = local },
            cancellationToken);
        if (!saved.Succeeded)
            warnings.Add($"The path mapping could not be saved. {saved.Error.Message}");
    }

    private static bool SamePath(string a, string b) => a.TrimEnd('/', '\\').Equals(b.TrimEnd('/', '\\'), StringComparison.Ordinal);

    private async Task CheckConfigAsync(List<string> warnings, CancellationToken cancellationToken)
    {
        var config = await _client.DownloadClientConfigAsync(cancellationToken);
        if (config.Error is { Kind: ArrErrorKind.NotSupported })
            return;
        if (!config.Succeeded)
        {
            warnings.Add($"How downloads are handled could not be checked. {config.Error.Message}");
            return;
        }

        if (!config.Value.EnableCompletedDownloadHandling)
            warnings.Add("Completed download handling is off: nothing will be imported. Switch it on under Settings, Download clients.");
        if (!config.Value.AutoRedownloadFailed)
            warnings.Add(
                "Redownloading of failed downloads is off: a dead post will not be searched for again by itself. Switch it on under " +
                "Settings, Download clients.");
    }
}

/// <summary>The result of a registration.</summary>
/// <param name="Client">The definition as it was saved.</param>
/// <param name="Created">True if it is new; false if an existing one was updated.</param>
/// <param name="Warnings">What the operator should check, as sentences.</param>
public sealed record SetupReport(DownloadClient Client, bool Created, IReadOnlyList<string> Warnings);
