using System.Globalization;
using System.Net;
using System.Xml.Linq;

namespace NzbDav.FullNzbTester.Dav;

/// <summary>Uploads an .nzb over WebDAV and waits for its file or its refusal.</summary>
/// <param name="http">Sends the header.</param>
/// <param name="root">The tree.</param>
/// <param name="authorization">Value of the Authorization header for readers.</param>
/// <param name="time">Clock.</param>
/// <param name="job">Name of the job.</param>
internal sealed class DavImport(HttpClient http, Uri root, string authorization, TimeProvider time, string job = "tester")
{
    private const string Category = "movies";

    private static readonly XNamespace Dav = "DAV:";
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(5);

    /// <returns>The biggest file; or, when the import was refused, the server's reason.</returns>
    public async Task<(DavTarget? File, string? Refusal)> RunAsync(string nzb, CancellationToken cancellationToken)
    {
        using var body = new ByteArrayContent(await File.ReadAllBytesAsync(nzb, cancellationToken));
        using var put = await http.PutAsync(new Uri(root, $"nzbs/{Category}/{job}.nzb"), body, cancellationToken);
        if (!put.IsSuccessStatusCode)
            return (null, $"the server said {(int)put.StatusCode} to the .nzb: {await put.Content.ReadAsStringAsync(cancellationToken)}");
        while (true)
        {
            if (await FindAsync(root, cancellationToken) is { } file)
                return (file, null);
            using var note = await http.GetAsync(new Uri(root, $"nzbs/{Category}/{job}.nzb.failed.txt"), cancellationToken);
            if (note.StatusCode == HttpStatusCode.OK)
                return (null, (await note.Content.ReadAsStringAsync(cancellationToken)).Split('\n')[0]);
            await Task.Delay(Look, time, cancellationToken);
        }
    }

    /// <summary>The biggest file of the job; null while there is none.</summary>
    public async Task<DavTarget?> FindAsync(Uri from, CancellationToken cancellationToken)
    {
        using var request = new HttpRequestMessage(new HttpMethod("PROPFIND"), new Uri(from, $"content/{Category}/{job}/"));
        request.Headers.Add("Depth", "1");
        using var response = await http.SendAsync(request, cancellationToken);
        if (!response.IsSuccessStatusCode)
            return null;
        var listing = XDocument.Parse(await response.Content.ReadAsStringAsync(cancellationToken));
        return listing.Descendants(Dav + "response")
            .Select(item =>
                (Href: item.Element(Dav + "href")?.Value, Length: item.Descendants(Dav + "getcontentlength").FirstOrDefault()?.Value))
            .Where(item => item.Href is not null && !item.Href.EndsWith('/') && item.Length is not null)
            .Select(item => new DavTarget(new Uri(from, item.Href!), authorization, long.Parse(item.Length!, CultureInfo.InvariantCulture)))
            .MaxBy(item => item.Length);
    }
}

/// <summary>The file that is read over WebDAV.</summary>
/// <param name="Url">Its address.</param>
/// <param name="Authorization">Value of the Authorization header.</param>
/// <param name="Length">Size in bytes, according to the server's listing.</param>
internal sealed record DavTarget(Uri Url, string Authorization, long Length);
