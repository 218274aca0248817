namespace NzbDav.Arr.Resources;

/// <summary>Why a queue row does not continue, about one file or the whole download.</summary>
public sealed record StatusMessage
{
    /// <summary>The file or the download that it is about. Some messages have only a title.</summary>
    public string? Title { get; init; }

    /// <summary>The reasons.</summary>
    public IReadOnlyList<string> Messages { get; init; } = [];
}
