namespace NzbDav.Import;

/// <summary>An upload that has been received and not yet checked: a temporary file in the configuration folder, gone when it is disposed. Owned by whoever received it.</summary>
public sealed class IntakeFile : IAsyncDisposable
{
    internal IntakeFile(FileStream content, bool isTooLarge)
    {
        Content = content;
        IsTooLarge = isTooLarge;
    }

    /// <summary>Bytes that are kept.</summary>
    public long Length => Content.Length;

    /// <summary>True when the upload was larger than an .nzb may be. Nothing of it is kept.</summary>
    public bool IsTooLarge { get; }

    internal FileStream Content { get; }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => Content.DisposeAsync();
}
