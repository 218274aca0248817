using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Net;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>An OTLP collector, over HTTP or gRPC, that parses only as much protobuf as it takes to find names.</summary>
internal sealed class OtlpCollector : IAsyncDisposable
{
    private readonly WebApplication _app;
    private readonly ConcurrentQueue<byte[]> _bodies = new();

    private OtlpCollector(WebApplication app) => _app = app;

    public string Url => _app.Urls.First();

    public string? Tenant { get; private set; }

    public ConcurrentBag<string> Metrics { get; } = [];

    public ConcurrentBag<string> Spans { get; } = [];

    /// <param name="grpc">Speaks gRPC: HTTP/2 without TLS, and nothing else.</param>
    public static async Task<OtlpCollector> StartAsync(bool grpc = false)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(
            server => server.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = grpc ? HttpProtocols.Http2 : HttpProtocols.Http1));
        builder.Services.AddRoutingCore().AddLogging();
        var collector = new OtlpCollector(builder.Build());
        collector._app.Run(grpc ? collector.TakeCallAsync : collector.TakeAsync);
        await collector._app.StartAsync();
        return collector;
    }

    public bool Holds(string text) => _bodies.Any(body => body.AsSpan().IndexOf(Encoding.UTF8.GetBytes(text)) >= 0);

    public ValueTask DisposeAsync() => _app.DisposeAsync();

    private async Task TakeAsync(HttpContext http)
    {
        Take(http, await ReadAsync(http), isMetrics: http.Request.Path == "/v1/metrics");
        http.Response.ContentType = "application/x-protobuf";
    }

    /// <summary>
    /// A unary call (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md): one byte that says whether it is compressed, four
    /// bytes of length, the message.
    /// </summary>
    private async Task TakeCallAsync(HttpContext http)
    {
        Assert.StartsWith("application/grpc", http.Request.ContentType, StringComparison.Ordinal);
        var bytes = await ReadAsync(http);
        Assert.Equal(0, bytes[0]);
        Assert.Equal(bytes.Length - 5, BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(1)));
        Take(http, bytes[5..], isMetrics: http.Request.Path == "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export");
        http.Response.ContentType = "application/grpc";
        await http.Response.Body.WriteAsync(new byte[5]);
        http.Response.AppendTrailer("grpc-status", "0");
    }

    private static async Task<byte[]> ReadAsync(HttpContext http)
    {
        using var body = new MemoryStream();
        await http.Request.Body.CopyToAsync(body);
        return body.ToArray();
    }

    private void Take(HttpContext http, byte[] bytes, bool isMetrics)
    {
        _bodies.Enqueue(bytes);
        Tenant = http.Request.Headers["x-tenant"];

        // Resource… (1) > Scope… (2) > Metric or Span (2) > name: field 1 of a metric, field 5 of a span.
        var (names, field) = isMetrics ? (Metrics, 1) : (Spans, 5);
        foreach (var resource in Fields(bytes, 1))
        {
            foreach (var scope in Fields(resource, 2))
            {
                foreach (var one in Fields(scope, 2))
                    names.Add(Encoding.UTF8.GetString(Fields(one, field).Single().Span));
            }
        }
    }

    /// <summary>The length-delimited values of one field.</summary>
    private static List<ReadOnlyMemory<byte>> Fields(ReadOnlyMemory<byte> message, int wanted)
    {
        var found = new List<ReadOnlyMemory<byte>>();
        var at = 0;
        while (at < message.Length)
        {
            var tag = Varint(message.Span, ref at);
            switch (tag & 7)
            {
                case 0:
                    Varint(message.Span, ref at);
                    break;
                case 1:
                    at += 8;
                    break;
                case 5:
                    at += 4;
                    break;
                case 2:
                    var length = (int)Varint(message.Span, ref at);
                    if ((int)(tag >> 3) == wanted)
                        found.Add(message.Slice(at, length));
                    at += length;
                    break;
                default:
                    throw new InvalidDataException($"wire type {tag & 7}");
            }
        }

        return found;
    }

    private static ulong Varint(ReadOnlySpan<byte> bytes, ref int at)
    {
        ulong value = 0;
        for (var shift = 0; ; shift += 7)
        {
            var part = bytes[at++];
            value |= (ulong)(part & 0x7F) << shift;
            if (part < 0x80)
                return value;
        }
    }
}
