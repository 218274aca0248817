using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Providers;
using NzbDav.MockUsenet.Transports;

namespace NzbDav.MockUsenet.Command;

/// <summary>Serves according to the command line until it is stopped.</summary>
internal static class MockRun
{
    public static async Task<int> RunAsync(MockSettings settings, TextWriter output, Stream input, CancellationToken cancellationToken)
    {
        var sources = new List<FileSource>();
        try
        {
            var store = new ArticleStore(settings.Seed);
            var options = new PostOptions { ArticleSize = settings.ArticleSize, Obfuscated = settings.Obfuscate };
            var posted = store.AddPost(Files(settings, sources), options);
            if (settings.Eager)
                await store.EncodeAllAsync(cancellationToken: cancellationToken);
            await using var server = await MockUsenetServer.StartAsync(store, Options(settings));
            AddFaults(settings, server);
            var nzb = server.PublishNzb(NzbName(posted[0].Name), posted);
            if (settings.NzbOut is { } path)
                await File.WriteAllBytesAsync(path.FullName, nzb, cancellationToken);
            if (settings.CertificateOut is { } certificate)
                await File.WriteAllTextAsync(certificate.FullName, MockCertificate.Shared.ExportCertificatePem(), cancellationToken);
            var ready = new ReadyLine(true, [.. server.Providers.Select(static provider => provider.Port)], server.StatsPort);
            await output.WriteLineAsync(JsonSerializer.Serialize(ready, ReadyJson.Default.ReadyLine).AsMemory(), cancellationToken);
            await output.FlushAsync(cancellationToken);
            await UntilStoppedAsync(settings.ExitWithStdin ? input : null, cancellationToken);
            return 0;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return 0;
        }
        finally
        {
            sources.ForEach(static source => source.Dispose());
        }
    }

    private static string NzbName(string file) => Path.ChangeExtension(file, ".nzb");

    private static List<(string Name, IArticleSource Source)> Files(MockSettings settings, List<FileSource> opened)
    {
        if (settings.Files.Count == 0)
        {
            var random = new SeededSource(settings.Seed, settings.Name, (long)(settings.SizeMb * 1_048_576));
            return [(settings.Name, settings.Film ? new FilmSource(random) : random)];
        }

        foreach (var file in settings.Files)
            opened.Add(new FileSource(file.FullName));
        return [.. settings.Files.Zip(opened, static (file, source) => (file.Name, (IArticleSource)source))];
    }

    private static MockServerOptions Options(MockSettings settings) => new()
    {
        Address = settings.Address,
        StatsPort = settings.StatsPort,
        Providers = [.. Enumerable.Range(0, settings.Providers).Select(index => new MockProviderOptions
        {
            Name = $"mock{index + 1}",
            Address = settings.Address,
            Port = settings.Port == 0 ? 0 : settings.Port + index,
            Latency = TimeSpan.FromMilliseconds(settings.LatencyMs),
            Jitter = TimeSpan.FromMilliseconds(settings.JitterMs),
            ConnectionRate = settings.Rate,
            TotalRate = settings.TotalRate,
            MaxConnections = settings.MaxConnections == 0 ? int.MaxValue : settings.MaxConnections,
            Ghosts = TimeSpan.FromSeconds(settings.GhostSeconds),
            Tls = settings.Tls,
            Username = settings.Username,
            Password = settings.Password,
            Seed = settings.Seed,
        })],
    };

    private static void AddFaults(MockSettings settings, MockUsenetServer server)
    {
        for (var i = 0; i < server.Providers.Count; i++)
        {
            var faults = server.Providers[i].Faults;
            var seed = settings.Seed + ((ulong)i * 1_000);
            if (settings.Missing > 0)
                faults.Add(Fault.Missing, FaultTarget.Rate(settings.Missing, seed + 1));
            if (settings.Corrupt > 0)
                faults.Add(Fault.Corrupt, FaultTarget.Rate(settings.Corrupt, seed + 2), settings.CorruptTimes);
            if (settings.Stall > 0)
                faults.Add(Fault.Stall(), FaultTarget.Rate(settings.Stall, seed + 3), timesEach: 1);
        }
    }

    private static async Task UntilStoppedAsync(Stream? input, CancellationToken cancellationToken)
    {
        if (input is null)
        {
            await Task.Delay(Timeout.Infinite, cancellationToken);
            return;
        }

        // A console read cannot be cancelled: after a stop signal it is abandoned.
        var buffer = new byte[256];
        while (await input.ReadAsync(buffer, cancellationToken).AsTask().WaitAsync(cancellationToken) > 0)
        {
        }
    }
}

/// <summary>The line that the command prints when it is ready.</summary>
internal sealed record ReadyLine(bool Ready, IReadOnlyList<int> Ports, int StatsPort);

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ReadyLine))]
internal sealed partial class ReadyJson : JsonSerializerContext;
