using System.Text;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Torrents;
using NzbDav.Import.Names;
using NzbDav.Import.Options;
using NzbDav.Import.Progress;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Import.Intake;

/// <summary>
/// Accepts .torrent files and magnet links. A torrent that cannot be read is refused with the reason. The reason is also recorded in the
/// history (see <see cref="IntakeRequest.RecordsRefusals"/>), because a user who drops a file into a mount gets no response.
/// </summary>
public sealed class TorrentIntake
{
    /// <summary>Extension of a file that holds a torrent's metainfo.</summary>
    public const string TorrentEnding = ".torrent";

    /// <summary>Extension of a text file that holds a magnet link.</summary>
    public const string MagnetEnding = ".magnet";

    private readonly JobStore _jobs;
    private readonly Live<ImportOptions> _options;

    public TorrentIntake(JobStore jobs, Live<ImportOptions> options)
    {
        ArgumentNullException.ThrowIfNull(jobs);
        ArgumentNullException.ThrowIfNull(options);
        _jobs = jobs;
        _options = options;
    }

    /// <summary>True for a .torrent or .magnet file, by its extension.</summary>
    public static bool Accepts(string fileName)
    {
        ArgumentNullException.ThrowIfNull(fileName);
        return EndsWith(fileName, TorrentEnding) || EndsWith(fileName, MagnetEnding);
    }

    /// <summary>The name for a job: the file's name without its extension and without a password in it, made safe.</summary>
    public static string JobName(string fileName)
    {
        ArgumentNullException.ThrowIfNull(fileName);
        return SafeName.Of(Passwords.FromName(Stem(fileName)).Name) ?? "unnamed";
    }

    /// <summary>Checks and queues a file. Durable when the task completes.</summary>
    /// <param name="request">What it is; its file name ends in <see cref="TorrentEnding"/> or <see cref="MagnetEnding"/>.</param>
    /// <param name="file">Its bytes, read to the end unless it is too large.</param>
    /// <param name="cancellationToken">The sender went away; nothing is kept.</param>
    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public async Task<IntakeResult> AddAsync(IntakeRequest request, Stream file, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        ArgumentNullException.ThrowIfNull(file);
        if (!_options.Value.Torrents)
            return new IntakeResult(null, "Torrents are switched off (NzbDav__Torrents__Enabled).");
        var isMagnet = EndsWith(request.FileName, MagnetEnding);
        var most = isMagnet ? MagnetLink.MostCharacters * 4 : Metainfo.MostBytes;
        using var bytes = new MemoryStream();
        var buffer = new byte[64 << 10];
        int read;
        while ((read = await file.ReadAsync(buffer, cancellationToken)) > 0)
        {
            if (bytes.Length + read > most)
                return new IntakeResult(
                    null, $"The {(isMagnet ? MagnetEnding : TorrentEnding)} file is larger than {most >> 10} KiB.", TooLarge: true);
            bytes.Write(buffer.AsSpan(0, read));
        }

        return await QueueAsync(request, bytes.GetBuffer().AsMemory(0, (int)bytes.Length), isMagnet, JobName(request.FileName),
            Passwords.FromName(Stem(request.FileName)).Password, cancellationToken);
    }

    /// <summary>Like <see cref="AddAsync(IntakeRequest, Stream, CancellationToken)"/>, for an upload that
    /// <see cref="NzbIntake.ReceiveAsync"/> received.</summary>
    public Task<IntakeResult> AddAsync(IntakeRequest request, IntakeFile upload, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(upload);
        upload.Content.Position = 0;
        return AddAsync(request, upload.Content, cancellationToken);
    }

    /// <summary>True if the file begins as a .torrent does: with a bencoded dictionary.</summary>
    public static bool IsTorrent(IntakeFile upload)
    {
        ArgumentNullException.ThrowIfNull(upload);
        Span<byte> head = stackalloc byte[2];
        upload.Content.Position = 0;
        return upload.Content.ReadAtLeast(head, head.Length, throwOnEndOfStream: false) == head.Length
            && head is [(byte)'d', >= (byte)'0' and <= (byte)'9'];
    }

    /// <summary>Reads an upload as a .torrent, without adding it.</summary>
    /// <returns>The torrent, or why it is not a valid one.</returns>
    public static async ValueTask<(Metainfo? Metainfo, string? Error)> ReadAsync(IntakeFile upload, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(upload);
        if (upload.IsTooLarge || upload.Length > Metainfo.MostBytes)
            return (null, $"The {TorrentEnding} file is larger than {Metainfo.MostBytes >> 10} KiB.");
        var bytes = new byte[upload.Length];
        upload.Content.Position = 0;
        await upload.Content.ReadExactlyAsync(bytes, cancellationToken);
        var read = await Task.Run(() => Metainfo.Read(bytes), cancellationToken);
        return (read.Value, read.Error);
    }

    /// <summary>The text of an upload that consists of a magnet link only; null for any other.</summary>
    public static async ValueTask<string?> ReadMagnetAsync(IntakeFile upload, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(upload);
        if (upload.Length > MagnetLink.MostCharacters)
            return null;
        var bytes = new byte[upload.Length];
        upload.Content.Position = 0;
        await upload.Content.ReadExactlyAsync(bytes, cancellationToken);
        var text = Encoding.UTF8.GetString(bytes).Trim();
        return text.StartsWith("magnet:?", StringComparison.OrdinalIgnoreCase) ? text : null;
    }

    /// <summary>Checks and queues a magnet link. Durable when the task completes.</summary>
    /// <param name="link">The link. The job is named after its <c>dn</c>, or else its info-hash.</param>
    /// <param name="category">A safe name; null for the default category.</param>
    /// <param name="source">Where it comes from.</param>
    /// <param name="cancellationToken">Nothing is kept.</param>
    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public Task<IntakeResult> AddMagnetAsync(string link, string? category, JobSource source, CancellationToken cancellationToken) =>
        AddMagnetAsync(link, new IntakeRequest { FileName = "", Category = category, Source = source }, cancellationToken);

    /// <inheritdoc cref="AddMagnetAsync(string, string?, JobSource, CancellationToken)"/>
    /// <param name="link">The link. The job is named after its <c>dn</c>, or else its info-hash.</param>
    /// <param name="request">How to add it; the file name is ignored.</param>
    /// <param name="cancellationToken">Nothing is kept.</param>
    public Task<IntakeResult> AddMagnetAsync(string link, IntakeRequest request, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(link);
        ArgumentNullException.ThrowIfNull(request);
        if (!_options.Value.Torrents)
            return Task.FromResult(new IntakeResult(null, "Torrents are switched off (NzbDav__Torrents__Enabled)."));
        var read = MagnetLink.Read(link);
        if (!read.Succeeded)
            return Task.FromResult(new IntakeResult(null, read.Error));
        var (said, password) = Passwords.FromName(read.Value.Name ?? "");
        return QueueAsync(request, Encoding.UTF8.GetBytes(link.Trim()), isMagnet: true, SafeName.Of(said) ?? read.Value.Hash.ToString(),
            password, cancellationToken);
    }

    private static bool EndsWith(string name, string ending) => name.EndsWith(ending, StringComparison.OrdinalIgnoreCase);

    private static string Stem(string fileName)
    {
        foreach (var ending in new[] { TorrentEnding, MagnetEnding })
        {
            if (EndsWith(fileName, ending))
                fileName = fileName[..^ending.Length];
        }

        return fileName;
    }

    private static (InfoHash? Hash, FileSelection? Selection, string? Error) Check(ReadOnlySpan<byte> bytes, bool isMagnet)
    {
        if (isMagnet)
        {
            var link = MagnetLink.Read(Encoding.UTF8.GetString(bytes));
            return (link.Value?.Hash, link.Value?.Selection, link.Error);
        }

        var metainfo = Metainfo.Read(bytes);
        return (metainfo.Value?.Info.Hash, null, metainfo.Error);
    }

    /// <param name="request">How to add it; the file name is ignored.</param>
    /// <param name="bytes">The bytes of the file.</param>
    /// <param name="isMagnet">True if it holds a magnet link.</param>
    /// <param name="name">The name of the job.</param>
    /// <param name="password">The password in the name of the file or the link. Used if neither the request nor the torrent's name has
    /// one.</param>
    /// <param name="cancellationToken">Nothing is kept.</param>
    private async Task<IntakeResult> QueueAsync(IntakeRequest request, ReadOnlyMemory<byte> bytes, bool isMagnet, string name,
        string? password, CancellationToken cancellationToken)
    {
        var wanted = request.Torrent;
        if (wanted?.Name is { } shown)
        {
            var (called, inName) = Passwords.FromName(shown);
            wanted = wanted with { Name = called.Length > 0 ? called : null };
            password = inName ?? password;
        }

        var (hash, selection, error) = await Task.Run(() => Check(bytes.Span, isMagnet), cancellationToken);
        if (selection is not null)
            wanted = (wanted ?? new NewTorrent()) with { Selection = selection.ToString() };
        if (error is not null && !request.RecordsRefusals)
            return new IntakeResult(null, error);
        var category = request.Category ?? _options.Value.DefaultCategory;
        var text = hash?.ToString();
        if (request.ReuseDuplicates && text is not null && await FindAsync(text, category, cancellationToken) is { } known)
            return new IntakeResult(known, null) { Duplicate = true };
        var job = new NewJob
        {
            Name = name,
            Category = category,
            Kind = isMagnet ? JobKind.Magnet : JobKind.Torrent,
            Source = request.Source,
            Priority = request.Priority,
            Paused = request.Paused,
            ContentHash = text,
            Password = request.Password ?? password,
            Torrent = wanted,
            Id = request.Id,
            Url = request.Url,
            FailureCode = error is null ? null : ImportFailure.MalformedTorrent,
            FailureMessage = error,
        };
        using var stream = new MemoryStream(bytes.ToArray(), writable: false);
        var queued = await _jobs.EnqueueAsync(job, stream, cancellationToken);
        return error is null ? new IntakeResult(queued, null) : new IntakeResult(null, error) { Jobs = [queued] };
    }

    private async Task<CatalogJob?> FindAsync(string hash, string category, CancellationToken cancellationToken)
    {
        await foreach (var job in _jobs.List.EachAsync(
            new JobFilter { ContentHash = hash, Categories = [category] }, newestFirst: true, cancellationToken))
        {
            if (job.State is JobState.Queued or JobState.Running || job is { State: JobState.Completed, ItemId: not null })
                return job;
        }

        return null;
    }
}
