using System.Globalization;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Keys;
using NzbDav.Api.Forms;
using NzbDav.Api.Native.Jobs;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Settings;
using NzbDav.Fuzz.Contract;
using NzbDav.Import.Intake;
using NzbDav.Import.Options;

namespace NzbDav.Fuzz.Formats;

/// <summary>Forms as read by the native and the qBittorrent API, multipart and url-encoded.</summary>
internal sealed class FormsTarget() : FuzzTarget("forms", "Multipart and url-encoded forms")
{
    private const string Boundary = "----x";

    /// <summary>The reader's limit is 100 bytes.</summary>
    private const int LongestBoundaryRest = 80;

    private readonly FormReader _forms =
        new(Intake(), static () => new SabOptions { ConfigFolder = ScratchFiles.Folder, MountPath = "/mnt" }.MaxUploadBytes);

    public override IReadOnlyList<byte[]> Words { get; } =
        [.. "------x\r\n|------x--\r\n|------x|--|\r\n|\r\n\r\n|Content-Disposition: form-data; name=\"nzb\"; filename=\"a.nzb\"|Content-Disposition: form-data; name=|filename*=UTF-8''%e2%82%ac|Content-Type: text/plain|name=\"urls\"|&|=|%|+|\0".Split('|').Select(Text)];

    /// <summary>A form arrives byte by byte in one of the runs, and each byte costs a read of the framework.</summary>
    public override int Longest { get; init; } = 2 << 10;

    /// <summary>Every form needs at least its buffers.</summary>
    public override long MostAllocated(int length) => (4 << 20) + (200L * length);

    public override object? Run(byte[] input, Cuts cuts) => HasLongBoundary(input) ? null :
        $"{Job(input, cuts)}\n{Torrent(input, cuts, "multipart/form-data; boundary=" + Boundary)}\n{Torrent(input, cuts, "application/x-www-form-urlencoded")}";

    /// <summary>
    /// True when bytes follow a boundary on its line. The framework's reader looks at the length of what it has received of that line, so
    /// whether it refuses the form depends on how the form arrives. No client sends such a form.
    /// </summary>
    private static bool HasLongBoundary(ReadOnlySpan<byte> input)
    {
        var boundary = Text("--" + Boundary);
        while (input.IndexOf(boundary) is >= 0 and var at)
        {
            input = input[(at + boundary.Length)..];
            var end = input.IndexOf((byte)'\n');
            if ((end < 0 ? input.Length : end) > LongestBoundaryRest)
                return true;
        }

        return false;
    }

    /// <summary>A form of the page.</summary>
    private string Job(byte[] input, Cuts cuts)
    {
        var http = Request(input, cuts, "multipart/form-data; boundary=" + Boundary);
        var form = new CallForm(ApiRights.Add) { MostField = JobEndpoints.MostField };
        var isRead = Synchronously.Wait(JobEndpoints.ReadAsync(http, _forms, form));
        BrokenPromiseException.ThrowUnless(isRead == http.Response.StatusCode < 400, "A refused form is answered with an error.");
        var said = isRead
            ? string.Join('\n', form.Values.Select(static pair => $"{pair.Key}={pair.Value}")
                .Concat(form.Files.Select(static file => $"{file.Name}: {file.Content.Content.Length}")))
            : http.Response.StatusCode.ToString(CultureInfo.InvariantCulture);
        Synchronously.Wait(form.DisposeAsync().AsTask());
        return said;
    }

    /// <summary>A form of an *arr.</summary>
    private string Torrent(byte[] input, Cuts cuts, string type)
    {
        var form = new CallForm(ApiRights.Add | ApiRights.Read);
        try
        {
            Synchronously.Wait(_forms.ReadAsync(Request(input, cuts, type), form).AsTask());
            return $"{form.Value("urls")} {form.Value("savepath")} {form.Value("category")} " +
                $"{string.Join(' ', form.Files.Select(static file => file.Content.Content.Length))}";
        }
        catch (Exception refused) when (refused is InvalidDataException or IOException)
        {
            // The framework's message depends on how much its reader has received.
            return "refused";
        }
        finally
        {
            Synchronously.Wait(form.DisposeAsync().AsTask());
        }
    }

    private static DefaultHttpContext Request(byte[] input, Cuts cuts, string type)
    {
        var http = new DefaultHttpContext();
        http.Request.Method = HttpMethods.Post;
        http.Request.ContentType = type;
        http.Request.Body = new CutStream(input, cuts);
        return http;
    }

    /// <summary>Receives files and queues none, so it needs no catalog.</summary>
    private static NzbIntake Intake()
    {
        Directory.CreateDirectory(Path.Combine(ScratchFiles.Folder, "cache"));
        return new NzbIntake(
            null!, new Live<ImportOptions>(new ImportOptions()), new CatalogOptions { ConfigFolder = ScratchFiles.Folder });
    }
}
