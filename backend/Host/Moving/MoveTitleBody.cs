namespace NzbDav.Host.Moving;

/// <summary>A title in <see cref="MoveBody"/>.</summary>
/// <param name="Category">Its category in the other program.</param>
/// <param name="Name">Its name in the other program.</param>
/// <param name="Reason">Why it was not migrated; null: it was.</param>
/// <param name="Rebuilt">Its .nzb was rebuilt from message-ids.</param>
internal sealed record MoveTitleBody(string Category, string Name, string? Reason, bool Rebuilt);
