using System.Text.Json;
using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Client;

/// <content>Download clients, remote path mappings and settings for downloads.</content>
public sealed partial class ArrClient
{
    /// <summary>The configured download clients. Newer versions mask passwords and keys with asterisks.</summary>
    public Task<ArrResult<DownloadClient[]>> DownloadClientsAsync(CancellationToken cancellationToken = default) =>
        GetAsync("downloadclient", ArrJson.Default.DownloadClientArray, cancellationToken);

    /// <summary>One empty definition of each kind, with all fields and their defaults.</summary>
    public Task<ArrResult<DownloadClient[]>> DownloadClientSchemasAsync(CancellationToken cancellationToken = default) =>
        GetAsync("downloadclient/schema", ArrJson.Default.DownloadClientArray, cancellationToken);

    /// <summary>Lets the application test a definition: it calls the client back. Takes up to
    /// <see cref="ArrOptions.TestTimeout"/>.</summary>
    /// <returns>Null if it works; otherwise <see cref="ArrErrorKind.Rejected"/> with the application's objections.</returns>
    public Task<ArrError?> TestDownloadClientAsync(DownloadClient client, CancellationToken cancellationToken = default) =>
        SendAsync(HttpMethod.Post, "downloadclient/test", JsonSerializer.SerializeToUtf8Bytes(client, ArrJson.Default.DownloadClient),
            Options.TestTimeout, cancellationToken);

    /// <summary>Adds a definition (id 0) or replaces it (any other id). The application tests it again before it saves it.</summary>
    public Task<ArrResult<DownloadClient>> SaveDownloadClientAsync(DownloadClient client, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        var body = JsonSerializer.SerializeToUtf8Bytes(client, ArrJson.Default.DownloadClient);
        var call = client.Id == 0
            ? new ArrCall(HttpMethod.Post, "downloadclient", body, Options.TestTimeout)
            : new ArrCall(HttpMethod.Put, $"downloadclient/{Text(client.Id)}", body, Options.TestTimeout);
        return _transport.SendAsync(call, ArrJson.Default.DownloadClient, cancellationToken);
    }

    /// <summary>How the application handles completed and failed downloads.</summary>
    public Task<ArrResult<DownloadClientConfig>> DownloadClientConfigAsync(CancellationToken cancellationToken = default) =>
        _dialect.UnknownItems is null
        ? Task.FromResult(NotSupported<DownloadClientConfig>("handling of downloads"))
        : GetAsync("config/downloadclient", ArrJson.Default.DownloadClientConfig, cancellationToken);

    /// <summary>The mappings from paths of download clients to paths of the application.</summary>
    public Task<ArrResult<RemotePathMapping[]>> RemotePathMappingsAsync(CancellationToken cancellationToken = default) =>
        _dialect.UnknownItems is null
        ? Task.FromResult(NotSupported<RemotePathMapping[]>("remote path mappings"))
        : GetAsync("remotepathmapping", ArrJson.Default.RemotePathMappingArray, cancellationToken);

    /// <summary>Adds a mapping (id 0) or replaces it (any other id).</summary>
    public Task<ArrResult<RemotePathMapping>> SaveRemotePathMappingAsync(
        RemotePathMapping mapping, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(mapping);
        if (_dialect.UnknownItems is null)
            return Task.FromResult(NotSupported<RemotePathMapping>("remote path mappings"));
        var body = JsonSerializer.SerializeToUtf8Bytes(mapping, ArrJson.Default.RemotePathMapping);
        var call = mapping.Id == 0
            ? new ArrCall(HttpMethod.Post, "remotepathmapping", body, Options.Timeout)
            : new ArrCall(HttpMethod.Put, $"remotepathmapping/{Text(mapping.Id)}", body, Options.Timeout);
        return _transport.SendAsync(call, ArrJson.Default.RemotePathMapping, cancellationToken);
    }
}
