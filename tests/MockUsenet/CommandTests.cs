using System.CommandLine;
using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using NzbDav.Mocks;
using NzbDav.MockUsenet.Command;
using NzbDav.MockUsenet.Transports;

namespace NzbDav.MockUsenet.Tests;

public sealed class CommandTests
{
    [Theory]
    [InlineData("0", 0)]
    [InlineData("1500", 1_500)]
    [InlineData("500K", 512_000)]
    [InlineData("1.5m", 1_572_864)]
    [InlineData("2G", 2_147_483_648)]
    public void Byte_counts_accept_a_suffix(string text, long bytes)
    {
        Assert.True(ByteCount.TryParse(text, out var parsed));
        Assert.Equal(bytes, parsed);
    }

    [Theory]
    [InlineData("")]
    [InlineData("K")]
    [InlineData("-1")]
    [InlineData("1T")]
    [InlineData("99999999999999G")]
    public void Invalid_numbers_are_refused(string text) => Assert.False(ByteCount.TryParse(text, out _));

    [Theory]
    [InlineData("--missing", "1.5")]
    [InlineData("--providers", "0")]
    [InlineData("--article-size", "0")]
    [InlineData("--rate", "fast")]
    [InlineData("--address", "here")]
    public void Invalid_options_are_refused(params string[] args) =>
        Assert.NotEmpty(new MockCommand().Create((_, _) => Task.FromResult(0)).Parse(args).Errors);

    [Fact]
    public async Task Reports_when_it_serves_and_exits_when_input_closes()
    {
        var nzb = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        var input = new Pipe();
        using var output = new LineWriter();
        MockSettings? settings = null;
        var certificate = Path.ChangeExtension(nzb, ".pem");
        string[] args = ["--size", "1", "--providers", "2", "--eager", "--exit-with-stdin", "--nzb-out", nzb, "--certificate-out",
            certificate, "--latency", "0.5", "--rate", "50M"];
        await new MockCommand().Create((parsed, _) => Task.FromResult((settings = parsed) is null ? 1 : 0)).Parse(args).InvokeAsync();
        using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        var running = MockRun.RunAsync(settings!, output, input.Reader.AsStream(), limit.Token);
        try
        {
            using var ready = JsonDocument.Parse(await output.First.WaitAsync(limit.Token));
            Assert.True(ready.RootElement.GetProperty("ready").GetBoolean());
            Assert.Equal(2, ready.RootElement.GetProperty("ports").GetArrayLength());
            using var client = new TcpClient();
            await client.ConnectAsync(IPAddress.Loopback, ready.RootElement.GetProperty("ports")[1].GetInt32());
            using var reader = new StreamReader(client.GetStream());
            Assert.StartsWith("200 ", await reader.ReadLineAsync(limit.Token), StringComparison.Ordinal);
            using var http = new HttpClient();
            var statsPort = ready.RootElement.GetProperty("statsPort").GetInt32();
            Assert.Equal(await File.ReadAllBytesAsync(nzb), await http.GetByteArrayAsync($"http://127.0.0.1:{statsPort}/nzb/mock.nzb"));
            using var trusted = X509CertificateLoader.LoadCertificateFromFile(certificate);
            Assert.Equal(MockCertificate.Shared.Thumbprint, trusted.Thumbprint);
            Assert.False(trusted.HasPrivateKey);
            await input.Writer.CompleteAsync();
            Assert.Equal(0, await running);
        }
        finally
        {
            File.Delete(nzb);
            File.Delete(certificate);
        }
    }

    [Fact]
    public async Task A_signal_stops_it_too()
    {
        using var output = new LineWriter();
        MockSettings? settings = null;
        await new MockCommand().Create((parsed, _) => Task.FromResult((settings = parsed) is null ? 1 : 0)).Parse(["--size", "0.01"])
            .InvokeAsync();
        using var signal = new CancellationTokenSource();
        var running = MockRun.RunAsync(settings!, output, Stream.Null, signal.Token);
        await output.First;
        await signal.CancelAsync();
        Assert.Equal(0, await running);
    }

    /// <summary>Hands over the first line that is written.</summary>
    private sealed class LineWriter : StringWriter
    {
        private readonly TaskCompletionSource<string> _first = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<string> First => _first.Task;

        public override Task FlushAsync(CancellationToken cancellationToken)
        {
            _first.TrySetResult(ToString());
            return Task.CompletedTask;
        }
    }
}
