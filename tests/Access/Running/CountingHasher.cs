using Microsoft.AspNetCore.Identity;
using Microsoft.Extensions.Options;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Tests.Running;

/// <summary>Counts its calls.</summary>
internal sealed class CountingHasher : IPasswordHasher<StoredUser>
{
    private readonly PasswordHasher<StoredUser> _hasher = new(Microsoft.Extensions.Options.Options.Create(new PasswordHasherOptions { IterationCount = AccessServer.Iterations }));

    public int Hashed { get; private set; }

    public int Verified { get; private set; }

    public string HashPassword(StoredUser user, string password)
    {
        Hashed++;
        return _hasher.HashPassword(user, password);
    }

    public PasswordVerificationResult VerifyHashedPassword(StoredUser user, string hashedPassword, string providedPassword)
    {
        Verified++;
        return _hasher.VerifyHashedPassword(user, hashedPassword, providedPassword);
    }
}
