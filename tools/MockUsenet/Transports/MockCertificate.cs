using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace NzbDav.MockUsenet.Transports;

/// <summary>Self-signed certificates for localhost, which clients trust by thumbprint or as a custom root.</summary>
public static class MockCertificate
{
    private static readonly Lazy<X509Certificate2> One = new(Create);

    /// <summary>The process's certificate, created on first use. Must not be disposed.</summary>
    public static X509Certificate2 Shared => One.Value;

    /// <summary>Creates a certificate, valid for localhost, 127.0.0.1 and ::1. The caller disposes it.</summary>
    public static X509Certificate2 Create()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=MockUsenet", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("localhost");
        names.AddIpAddress(IPAddress.Loopback);
        names.AddIpAddress(IPAddress.IPv6Loopback);
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        var now = TimeProvider.System.GetUtcNow();
        using var made = request.CreateSelfSigned(now.AddDays(-1), now.AddYears(1));
        // Through PKCS #12: some platforms refuse a server certificate whose key was never imported.
        return X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12), null);
    }
}
