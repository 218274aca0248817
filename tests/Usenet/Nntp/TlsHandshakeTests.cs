using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;
using NzbDav.MockUsenet.Transports;
using NzbDav.Usenet.Nntp;
using static NzbDav.Usenet.Tests.Nntp.ScriptedLogin;

namespace NzbDav.Usenet.Tests.Nntp;

/// <summary>Certificates, sessions that are resumed, and ports that speak no TLS.</summary>
public sealed class TlsHandshakeTests
{
    [Theory]
    [InlineData("localhost", true, true, NntpConnectFailure.None, "")]
    [InlineData("127.0.0.1", true, true, NntpConnectFailure.None, "")]
    [InlineData("localhost", false, true, NntpConnectFailure.Tls, "certificate")]
    [InlineData("localhost", false, false, NntpConnectFailure.None, "")]
    [InlineData("127.0.0.2", true, true, NntpConnectFailure.Tls, "RemoteCertificateNameMismatch")]
    [InlineData("127.0.0.2", true, false, NntpConnectFailure.None, "")]
    public async Task Certificates_are_verified_unless_switched_off(
        string host, bool trusted, bool verify, NntpConnectFailure failure, string reason)
    {
        var options = Login
            with
        { Host = host, UseTls = true, VerifyCertificate = verify, TrustedRoots = trusted ? [MockCertificate.Shared] : null };
        var result = await OpenAsync(Welcome, options, certificate: MockCertificate.Shared, anyAddress: true);
        Assert.Equal(failure, result.Failure);
        Assert.Contains(reason, result.Reason, StringComparison.Ordinal);
    }

    // The name is no other class's: the runtime keeps sessions by it, for the whole process.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_next_connection_resumes_the_previous_TLS_session(bool verify)
    {
        using var certificate = MockCertificate.Create();
        await using var mock = MockProvider.Start(
            new ArticleStore(), new MockProviderOptions { Tls = true, Certificate = certificate, Username = "me", Password = "secret" });
        var options = Login
            with
        { Host = "localhost", Port = mock.Port, UseTls = true, VerifyCertificate = verify, TrustedRoots = [certificate] };
        for (var connection = 0; connection < 4; connection++)
        {
            var result = await NntpHandshake.OpenAsync(options, static () => false, TimeProvider.System, CancellationToken.None);
            Assert.Equal((NntpConnectFailure.None, ""), (result.Failure, result.Reason));
            await result.Stream!.DisposeAsync();
        }

        Assert.Equal((4, 3), (mock.Stats.Handshakes, mock.Stats.HandshakesResumed));
    }

    [Fact]
    public async Task A_certificate_of_an_untrusted_root_is_rejected()
    {
        using var other = MockCertificate.Create();
        var options = Login with { Host = "localhost", UseTls = true, TrustedRoots = [other] };
        var result = await OpenAsync(Welcome, options, certificate: MockCertificate.Shared);
        Assert.Equal(NntpConnectFailure.Tls, result.Failure);
    }

    [Fact]
    public async Task TLS_to_a_plain_port_says_what_to_check()
    {
        var result = await OpenAsync(peer => peer.SayAsync("200 hello, this is no TLS\r\n"), Login with { UseTls = true });
        Assert.Equal(NntpConnectFailure.Tls, result.Failure);
        Assert.Contains("TLS", result.Reason, StringComparison.Ordinal);
        Assert.DoesNotContain("closed", result.Reason, StringComparison.Ordinal);
    }

    private static async Task Welcome(ScriptedPeer peer)
    {
        await peer.SayAsync("200 hello\r\n");
        await peer.AnswerAsync("381 password\r\n");
        await peer.AnswerAsync("281 welcome\r\n");
    }
}
