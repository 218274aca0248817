using System.Security.Cryptography;
using System.Threading.RateLimiting;
using Microsoft.AspNetCore.Identity;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Accounts;

/// <summary>The users of the interface and their passwords. Thread-safe.</summary>
public sealed class UserAccounts
{
    /// <summary>OWASP's recommendation for PBKDF2 with HMAC-SHA-512 (Password Storage Cheat Sheet, 2023): some 0.1 s.</summary>
    private const int Iterations = 210_000;

    /// <summary>
    /// Passwords hashed at the same time, for all callers together: streams need the processor too, and anybody can send wrong passwords.
    /// </summary>
    internal const int MostHashes = 2;

    /// <summary>The connection limits bound how many callers wait. A waiting caller costs a request, not processor time.</summary>
    private static readonly ConcurrencyLimiter Hashes = new(new()
    {
        PermitLimit = MostHashes,
        QueueLimit = int.MaxValue,
        QueueProcessingOrder = QueueProcessingOrder.OldestFirst,
    });

    private static readonly StoredUser Nobody = new() { Name = "", Hash = "", Stamp = "" };

    private readonly UserStore _users;
    private readonly TimeProvider _time;
    private readonly IPasswordHasher<StoredUser> _hasher;
    private readonly Lazy<string> _decoy;
    private volatile bool _any;

    public UserAccounts(UserStore users, TimeProvider time)
        : this(users, time, Iterations)
    {
    }

    internal UserAccounts(UserStore users, TimeProvider time, int iterations)
        : this(users, time, new PasswordHasher<StoredUser>(
            Microsoft.Extensions.Options.Options.Create(new PasswordHasherOptions { IterationCount = iterations })))
    {
    }

    internal UserAccounts(UserStore users, TimeProvider time, IPasswordHasher<StoredUser> hasher)
    {
        _users = users;
        _time = time;
        _hasher = hasher;
        _decoy = new(() => _hasher.HashPassword(Nobody, Convert.ToHexString(RandomNumberGenerator.GetBytes(16))));
    }

    /// <summary>Number of passwords waiting to be hashed.</summary>
    internal static long Waiting => Hashes.GetStatistics()!.CurrentQueuedCount;

    /// <summary>True once there is a user. It stays true, because the last user cannot be removed.</summary>
    public async ValueTask<bool> AnyAsync(CancellationToken cancellationToken) => _any || (_any = await _users.AnyAsync(cancellationToken));

    /// <summary>The user with that name; null if there is none.</summary>
    public ValueTask<StoredUser?> FindAsync(string name, CancellationToken cancellationToken) => _users.FindAsync(name, cancellationToken);

    /// <summary>All users, ordered by name.</summary>
    public ValueTask<IReadOnlyList<StoredUser>> ListAsync(CancellationToken cancellationToken) => _users.ListAsync(cancellationToken);

    /// <summary>Creates the first user, unless there is one already.</summary>
    public Task<AccountResult> CreateFirstAsync(string? name, string? password, CancellationToken cancellationToken) =>
        CreateAsync(name, password, UserRole.Administrator, first: true, cancellationToken);

    /// <summary>Creates a user.</summary>
    public Task<AccountResult> CreateAsync(string? name, string? password, UserRole role, CancellationToken cancellationToken) =>
        CreateAsync(name, password, role, first: false, cancellationToken);

    /// <summary>Removes a user and the user's sessions.</summary>
    public async Task<AccountResult> RemoveAsync(string name, CancellationToken cancellationToken) =>
        await _users.RemoveAsync(name, cancellationToken) switch
        {
            UserChange.Done => new(AccountOutcome.Done),
            UserChange.LastAdministrator =>
                new(AccountOutcome.LastAdministrator, "The last administrator cannot be removed: make somebody else one first."),
            _ => NotFound(),
        };

    /// <summary>Changes a user's role. Applies from the user's next request on.</summary>
    public async Task<AccountResult> SetRoleAsync(string name, UserRole role, CancellationToken cancellationToken) =>
        await _users.SetRoleAsync(name, role, cancellationToken) switch
        {
            UserChange.Done => new(AccountOutcome.Done, User: await _users.FindAsync(name, cancellationToken)),
            UserChange.LastAdministrator =>
                new(AccountOutcome.LastAdministrator, "The last administrator must stay one: make somebody else one first."),
            _ => NotFound(),
        };

    /// <summary>Changes a user's password and ends the user's sessions.</summary>
    public async Task<AccountResult> SetPasswordAsync(string name, string? password, CancellationToken cancellationToken)
    {
        if (AccountRules.PasswordFault(name, password) is { } fault)
            return new(AccountOutcome.Unacceptable, fault);
        var hash = _hasher.HashPassword(Nobody, password!);
        return await _users.SetPasswordAsync(name, hash, NewStamp(), cancellationToken)
            ? new(AccountOutcome.Done, User: await _users.FindAsync(name, cancellationToken))
            : NotFound();
    }

    /// <summary>The user with this name and password; null if they are wrong. Takes the same time for a name that does not exist.</summary>
    public async ValueTask<StoredUser?> CheckAsync(string? name, string? password, CancellationToken cancellationToken)
    {
        if (string.IsNullOrEmpty(name) || string.IsNullOrEmpty(password) || name.Length > AccountRules.LongestName
            || password.Length > AccountRules.LongestPassword)
            return null;

        using var turn = await Hashes.AcquireAsync(permitCount: 1, cancellationToken);

        // Computed before the name is looked up, so that the time of the first call does not depend on the name.
        var decoy = _decoy.Value;
        var user = await _users.FindAsync(name, cancellationToken);
        var verdict = _hasher.VerifyHashedPassword(Nobody, user?.Hash ?? decoy, password);
        if (user is null || verdict == PasswordVerificationResult.Failed)
            return null;
        if (verdict == PasswordVerificationResult.SuccessRehashNeeded)
            await _users.RehashAsync(user, _hasher.HashPassword(Nobody, password), cancellationToken);
        return user;
    }

    private async Task<AccountResult> CreateAsync(
        string? name, string? password, UserRole role, bool first, CancellationToken cancellationToken)
    {
        if ((AccountRules.NameFault(name) ?? AccountRules.PasswordFault(name, password)) is { } fault)
            return new(AccountOutcome.Unacceptable, fault);
        var user = new StoredUser
        { Name = name!, Hash = _hasher.HashPassword(Nobody, password!), Stamp = NewStamp(), Created = _time.GetUtcNow(), Role = role };
        if (role != UserRole.Administrator && !await AnyAsync(cancellationToken))
            return new(AccountOutcome.LastAdministrator, "The first user must be an administrator.");
        if (first)
        {
            return await _users.AddFirstAsync(user, cancellationToken)
                ? new(AccountOutcome.Done, User: user)
                : new(AccountOutcome.AlreadySetUp, "There is a user already: sign in.");
        }

        return await _users.AddAsync(user, cancellationToken)
            ? new(AccountOutcome.Done, User: user)
            : new(AccountOutcome.NameTaken, "Somebody has that name.");
    }

    private static AccountResult NotFound() => new(AccountOutcome.NotFound, "There is no such user.");

    private static string NewStamp() => Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(16));
}

/// <summary>The result of a change to the users.</summary>
/// <param name="Outcome">The kind of result.</param>
/// <param name="Reason">Why the change was refused, for people; null if it was made.</param>
/// <param name="User">The user after the change; null if there is none.</param>
public sealed record AccountResult(AccountOutcome Outcome, string? Reason = null, StoredUser? User = null);

/// <summary>The kinds of results of a change to the users.</summary>
public enum AccountOutcome
{
    /// <summary>The change was made.</summary>
    Done,

    /// <summary>The name or password is not acceptable.</summary>
    Unacceptable,

    /// <summary>Another user has the name.</summary>
    NameTaken,

    /// <summary>There is no user with that name.</summary>
    NotFound,

    /// <summary>Refused: one administrator must remain.</summary>
    LastAdministrator,

    /// <summary>There is already a first user.</summary>
    AlreadySetUp,
}
