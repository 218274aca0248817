namespace NzbDav.Api.QBittorrent;

/// <summary>The server's settings, for clients that change them through this interface. Names are those of the settings page: <c>Torrents:UploadLimit</c>. Thread-safe.</summary>
public interface IQbitSettings
{
    /// <summary>Every setting by its name, as of now.</summary>
    IReadOnlyDictionary<string, QbitSetting> Read();

    /// <summary>Changes settings: stored as the settings page stores them, in force when the task ends. All of them, or none.</summary>
    /// <param name="changes">By name; null takes a setting back to its default.</param>
    /// <param name="cancellationToken">Gives up, while nothing is stored yet.</param>
    /// <returns>Null; else why nothing was changed, in words.</returns>
    Task<string?> ChangeAsync(IReadOnlyDictionary<string, string?> changes, CancellationToken cancellationToken);
}
