namespace NzbDav.Import.Intake;

/// <summary>
/// An upload that has been received but not checked: a temporary file in the configuration folder, deleted on disposal. Owned by the caller that received it.
/// </summary>
public sealed class IntakeFile : IAsyncDisposable
{
    internal IntakeFile(FileStream content, bool isTooLarge)
    {
        Content = content;
        IsTooLarge = isTooLarge;
    }

    /// <summary>Length of the stored content in bytes.</summary>
    public long Length => Content.Length;

    /// <summary>True if the upload was larger than an .nzb may be. Then nothing of it is stored.</summary>
    public bool IsTooLarge { get; }

    internal FileStream Content { get; }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => Content.DisposeAsync();
}
