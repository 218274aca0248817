namespace NzbDav.Host.Settings;

/// <summary>A collector that accepts OTLP, the protocol of OpenTelemetry.</summary>
/// <param name="Endpoint">Its address, without the path of a signal: <c>http://collector:4318</c>.</param>
/// <param name="Grpc">True for gRPC, false for protobuf over HTTP.</param>
/// <param name="Headers"><c>name=value</c>, separated by commas; null: none. Secret.</param>
public sealed record OtlpSettings(Uri Endpoint, bool Grpc, string? Headers);
