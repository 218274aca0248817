using System.Buffers;
using System.Globalization;
using System.IO.Pipelines;
using System.Text;
using NzbDav.Content;

namespace NzbDav.WebDav.Files;

/// <summary>
/// The frame around the parts of a multipart/byteranges body (RFC 9110 §14.6); its size is known before anything is sent.
/// </summary>
internal sealed class MultipartRanges
{
    private readonly byte[][] _headers;
    private readonly byte[] _end;

    public MultipartRanges(ByteSpan[] parts, string contentType, long length)
    {
        var boundary = "nzbdav-" + Guid.NewGuid().ToString("N");
        ContentType = "multipart/byteranges; boundary=" + boundary;
        _headers = new byte[parts.Length][];
        for (var i = 0; i < parts.Length; i++)
        {
            _headers[i] = Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture,
                $"{(i == 0 ? "" : "\r\n")}--{boundary}\r\nContent-Type: {contentType}\r\nContent-Range: bytes " +
                $"{parts[i].Start}-{parts[i].End - 1}/{length}\r\n\r\n"));
            ContentLength += _headers[i].Length + parts[i].Length;
        }

        _end = Encoding.ASCII.GetBytes($"\r\n--{boundary}--\r\n");
        ContentLength += _end.Length;
    }

    public string ContentType { get; }

    public long ContentLength { get; }

    /// <summary>Writes what precedes a part, without flushing: it leaves with the part's first bytes.</summary>
    public void WriteHeader(PipeWriter writer, int part) => writer.Write(_headers[part]);

    public async ValueTask WriteEndAsync(PipeWriter writer, CancellationToken cancellationToken) =>
        await writer.WriteAsync(_end, cancellationToken);
}
