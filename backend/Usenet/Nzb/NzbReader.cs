namespace NzbDav.Usenet.Nzb;

/// <summary>
/// Reads NZB files (the newzbin format, https://sabnzbd.org/wiki/extra/nzb-spec) as they occur in practice. Everything that can be understood is
/// read; damage is reported as a value with a message for the user. Only predefined entities are expanded, and nothing is fetched.
/// </summary>
public static class NzbReader
{
    /// <summary>
    /// Reads one document. Blocks on the stream: give it a file or memory, not a network. Needs about 24 bytes plus the length of the
    /// message-id per segment, never the whole text. Reads up to the first byte behind the root that is not white space.
    /// </summary>
    /// <param name="stream">Read from where it stands; not disposed.</param>
    /// <param name="options">Bounds; null for the defaults.</param>
    /// <param name="cancellationToken">Checked every 64 KiB.</param>
    /// <returns>A document or an error; the same for the same bytes, however the stream cuts them.</returns>
    /// <exception cref="IOException">The stream failed.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> fired.</exception>
    public static NzbReadResult Read(Stream stream, NzbReaderOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        options ??= NzbReaderOptions.Default;
        return new NzbParser(new NzbInput(stream, options.MaxBytes, cancellationToken), options).Run();
    }
}
