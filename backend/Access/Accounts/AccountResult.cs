using NzbDav.Catalog.Users;

namespace NzbDav.Access.Accounts;

/// <summary>What became of a change to the users.</summary>
/// <param name="Outcome">The kind.</param>
/// <param name="Reason">Why not, for people; null if it is done.</param>
/// <param name="User">The user as it is now; null if there is none.</param>
public sealed record AccountResult(AccountOutcome Outcome, string? Reason = null, StoredUser? User = null);
