using NzbDav.Content;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Processes;
using NzbDav.FullNzbTester.Stages;
using NzbDav.Usenet;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Nzb;

namespace NzbDav.FullNzbTester.Content;

/// <summary>Maps the biggest file of an .nzb, or the requested one: load, first articles, names, layout.</summary>
internal sealed class PostOpening(ContentRequest request, UsenetClient client, StageRunner stages)
{
    private readonly Dictionary<NzbFile, ArticleHeader> _headers = [];
    private NzbDocument? _document;
    private NzbFile? _file;
    private ExtentMap? _map;

    /// <returns>Null when it cannot be opened; the findings say why.</returns>
    public async Task<ExtentMap?> RunAsync(CancellationToken cancellationToken)
    {
        var passed = await stages.RunAsync("load", LoadAsync, cancellationToken)
            && await stages.RunAsync("first articles", FirstArticlesAsync, cancellationToken)
            && await stages.RunAsync("names", NamesAsync, cancellationToken)
            && await stages.RunAsync("layout", LayOutAsync, cancellationToken);
        return passed ? _map : null;
    }

    private async Task LoadAsync(Stage stage, CancellationToken cancellationToken)
    {
        var started = stages.Time.GetTimestamp();
        await using var file = File.OpenRead(request.Nzb);
        var result = NzbReader.Read(file, cancellationToken: cancellationToken);
        if (!result.Succeeded)
        {
            stage.Fail(result.Error.ToString());
            return;
        }

        _document = result.Document;
        _file = _document.Files.MaxBy(posted => posted.Bytes);
        stage.Add("load the .nzb, ms", new Figure("content_load_ms", stages.Time.GetElapsedTime(started).TotalMilliseconds));
        stage.Add("files / articles in it", new Figure("content_nzb_files", _document.Files.Length),
            new Figure("content_nzb_articles", _document.SegmentCount));
    }

    private async Task FirstArticlesAsync(Stage stage, CancellationToken cancellationToken)
    {
        var times = new ReadTimes();
        var started = stages.Time.GetTimestamp();
        var gate = new Lock();
        var options = new ParallelOptions { MaxDegreeOfParallelism = 16, CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(_document!.Files, options, async (posted, token) =>
        {
            var asked = stages.Time.GetTimestamp();
            var probe = await client.ProbeAsync(posted.Segments[0].MessageId, FetchPriority.Import, token);
            lock (gate)
            {
                times.Add(stages.Time.GetElapsedTime(asked), 0);
                if (probe.Header is { } header)
                    _headers[posted] = header;
                else if (posted == _file && request.MissingArticles is null)
                    stage.Fail($"'{posted.FileName ?? posted.Subject}': {probe.Reason}");
            }
        });
        stage.Add("first articles: each / all, ms", new Figure("content_first_article_ms", times.Mean),
            new Figure("content_first_articles_ms", stages.Time.GetElapsedTime(started).TotalMilliseconds));
    }

    private Task NamesAsync(Stage stage, CancellationToken cancellationToken)
    {
        if (request.VerifyName is { } wanted)
            _file = _document!.Files.FirstOrDefault(
                file => (_headers.GetValueOrDefault(file)?.Name ?? file.FileName) == wanted || file.FileName == wanted);
        if (_file is null)
        {
            stage.Say("second read", $"'{request.VerifyName}' is not one of the posted files");
            return Task.CompletedTask;
        }

        var subject = _file.FileName;
        var said = _headers.GetValueOrDefault(_file)?.Name ?? subject;
        stage.Say("name of the file", said == subject || subject is null ? $"{said}" : $"{said} (in the subject: {subject})");
        var posted = request.SourceFile is { } file ? Path.GetFileName(file) : MockPost.RandomFile;
        if (request.HasSource && said != posted)
            stage.Fail($"the file is called '{said}', but was posted as '{posted}'.");
        return Task.CompletedTask;
    }

    private async Task LayOutAsync(Stage stage, CancellationToken cancellationToken)
    {
        if (_file is null)
            return;
        var ids = _file.Segments.Select(segment => segment.MessageId).ToArray();
        var known = new Dictionary<int, ArticleHeader>();
        if (_headers.TryGetValue(_file, out var header))
            known[0] = header;
        var started = stages.Time.GetTimestamp();
        var layout = await client.LayOutAsync(ids, FetchPriority.Import, known, cancellationToken);
        stage.Add("layout of the file, ms", new Figure("content_layout_ms", stages.Time.GetElapsedTime(started).TotalMilliseconds));
        if (layout.Segments is null)
        {
            if (request.MissingArticles is null)
                stage.Fail(layout.Reason!);
            else
                stage.Say("layout", $"refused, as it may be with articles gone: {layout.Reason}");
            return;
        }

        _map = ExtentMap.OfWholeSegments(layout.Segments);
        var expected = request.SourceFile is { } file ? new FileInfo(file).Length : request.SourceLength;
        if (request.HasSource && _map.Length != expected)
            stage.Fail($"the file is laid out with {_map.Length:N0} bytes, but has {expected:N0}.");
    }
}
