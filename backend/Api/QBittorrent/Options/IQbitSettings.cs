namespace NzbDav.Api.QBittorrent.Options;

/// <summary>Reads and changes the server's settings for clients of this interface. Names are those of the settings page:
/// <c>Torrents:UploadLimit</c>. Thread-safe.</summary>
public interface IQbitSettings
{
    /// <summary>The current value of every setting, by name.</summary>
    IReadOnlyDictionary<string, QbitSetting> Read();

    /// <summary>Changes settings, all or none. They are stored as by the settings page, and in force when the task completes.</summary>
    /// <param name="changes">New values by name; null resets a setting to its default.</param>
    /// <param name="cancellationToken">Cancels the operation as long as nothing has been stored.</param>
    /// <returns>Null on success; otherwise why nothing was changed, as text.</returns>
    Task<string?> ChangeAsync(IReadOnlyDictionary<string, string?> changes, CancellationToken cancellationToken);
}

/// <summary>The current value of a setting.</summary>
/// <param name="Value">The value that is set, otherwise the default; null: neither exists, or it is secret.</param>
/// <param name="Least">For numbers, the smallest value allowed.</param>
/// <param name="Most">For numbers, the largest value allowed.</param>
public sealed record QbitSetting(string? Value, int Least, int Most);
