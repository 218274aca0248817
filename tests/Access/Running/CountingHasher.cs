using Microsoft.AspNetCore.Identity;
using Microsoft.Extensions.Options;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Tests.Running;

/// <summary>Counts its calls.</summary>
internal sealed class CountingHasher : IPasswordHasher<StoredUser>
{
    private readonly Lock _gate = new();
    private readonly PasswordHasher<StoredUser> _hasher = new(
        Microsoft.Extensions.Options.Options.Create(new PasswordHasherOptions { IterationCount = AccessServer.Iterations }));

    public int Hashed { get; private set; }

    public int Verified { get; private set; }

    /// <summary>Passwords being verified, and the most at the same time.</summary>
    public (int Now, int Most) Together { get; private set; }

    /// <summary>While it is not set, no verification ends.</summary>
    public ManualResetEventSlim Open { get; } = new(initialState: true);

    public string HashPassword(StoredUser user, string password)
    {
        Hashed++;
        return _hasher.HashPassword(user, password);
    }

    public PasswordVerificationResult VerifyHashedPassword(StoredUser user, string hashedPassword, string providedPassword)
    {
        lock (_gate)
        {
            Verified++;
            Together = (Together.Now + 1, Math.Max(Together.Most, Together.Now + 1));
        }

        Open.Wait();
        lock (_gate)
            Together = (Together.Now - 1, Together.Most);
        return _hasher.VerifyHashedPassword(user, hashedPassword, providedPassword);
    }
}
