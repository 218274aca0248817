namespace NzbDav.Host.Moving;

/// <summary>A title in <see cref="MoveBody"/>.</summary>
/// <param name="Category">Its category there.</param>
/// <param name="Name">Its name there.</param>
/// <param name="Reason">Why it did not come; null: it came.</param>
/// <param name="Rebuilt">Its .nzb was made again of message-ids.</param>
internal sealed record MoveTitleBody(string Category, string Name, string? Reason, bool Rebuilt);
