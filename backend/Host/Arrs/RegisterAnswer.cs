namespace NzbDav.Host.Arrs;

/// <summary>Result of registering this server with an *arr.</summary>
/// <param name="Created">True if a download client was added there; false if an existing one was updated.</param>
/// <param name="Warnings">Problems to check, as text.</param>
internal sealed record RegisterAnswer(bool Created, IReadOnlyList<string> Warnings);
