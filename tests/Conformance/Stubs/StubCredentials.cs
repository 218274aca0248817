using NzbDav.WebDav.Access;

namespace NzbDav.Conformance.Tests.Stubs;

/// <summary>Counts how often a password is really checked.</summary>
internal sealed class StubCredentials(string user, string password) : ICredentialCheck
{
    private int _checks;

    public string Password { get; set; } = password;

    public int Checks => Volatile.Read(ref _checks);

    public ValueTask<bool> IsValidAsync(string user1, string password1, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _checks);
        return ValueTask.FromResult(user1 == user && password1 == Password);
    }
}
