using System.Globalization;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace NzbDav.Usenet.Checks;

/// <summary>Checks a server's certificate during the TLS handshake and describes its faults. Used for one connection.</summary>
/// <param name="host">The host name that the certificate must be issued for.</param>
/// <param name="time">Clock for the validity dates.</param>
internal sealed class CertificateValidator(string host, TimeProvider time)
{
    /// <summary>Description of the fault; null if there is none.</summary>
    public string? Fault { get; private set; }

    /// <summary>Description of the certificate for the user; empty until it arrives.</summary>
    public string Description { get; private set; } = "";

    /// <summary>Evaluates the result of .NET's own checks.</summary>
    public void Evaluate(X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        if (certificate is not X509Certificate2 shown)
        {
            Fault = "the server shows no certificate";
            return;
        }

        Description = $"certificate of {NameOf(shown)}, valid until {Day(shown.NotAfter)}";
        Fault = errors == SslPolicyErrors.None ? null : Find(shown, chain, errors);
    }

    private string Find(X509Certificate2 shown, X509Chain? chain, SslPolicyErrors errors)
    {
        var now = time.GetUtcNow().UtcDateTime;
        if (now > shown.NotAfter.ToUniversalTime())
            return $"its certificate expired on {Day(shown.NotAfter)}";
        if (now < shown.NotBefore.ToUniversalTime())
            return $"its certificate is not valid before {Day(shown.NotBefore)}: check this machine's clock";
        if (errors.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch))
            return $"its certificate is for {NamesOf(shown)}, not for {host}";
        if (shown.SubjectName.RawData.AsSpan().SequenceEqual(shown.IssuerName.RawData))
            return "its certificate is self-signed";
        var statuses = chain?.ChainStatus.Aggregate(X509ChainStatusFlags.NoError, static (all, status) => all | status.Status)
            ?? X509ChainStatusFlags.NoError;
        if (statuses.HasFlag(X509ChainStatusFlags.NotTimeValid))
            return $"a certificate of its issuer {shown.GetNameInfo(X509NameType.SimpleName, forIssuer: true)} has expired";
        if (statuses.HasFlag(X509ChainStatusFlags.Revoked))
            return "its certificate was revoked";
        return (statuses & (X509ChainStatusFlags.UntrustedRoot | X509ChainStatusFlags.PartialChain)) != 0
            ? $"its certificate is issued by {shown.GetNameInfo(X509NameType.SimpleName, forIssuer: true)}, which this system does not " +
                $"trust"
            : $"its certificate is not valid ({statuses})";
    }

    private static string NamesOf(X509Certificate2 shown)
    {
        var names = shown.Extensions.OfType<X509SubjectAlternativeNameExtension>().SelectMany(static names => names.EnumerateDnsNames()
            .Concat(names.EnumerateIPAddresses().Select(static address => address.ToString()))).ToArray();
        return names.Length switch
        {
            0 => NameOf(shown),
            <= 3 => string.Join(", ", names),
            _ => $"{string.Join(", ", names[..3])} and {names.Length - 3} more names",
        };
    }

    private static string NameOf(X509Certificate2 shown) => shown.GetNameInfo(X509NameType.SimpleName, forIssuer: false);

    private static string Day(DateTime local) => local.ToUniversalTime().ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
}
