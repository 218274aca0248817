namespace NzbDav.Library.Health;

/// <summary>An account that checks ask. Immutable.</summary>
/// <param name="Name">Its name; no other has the same.</param>
/// <param name="IsUp">It can be asked now.</param>
/// <param name="IsMetered">Its bytes are counted against a quota or a block: nothing is fetched from it for a check.</param>
public sealed record AskedAccount(string Name, bool IsUp, bool IsMetered);
