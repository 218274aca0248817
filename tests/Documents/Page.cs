using Markdig;
using Markdig.Extensions.AutoIdentifiers;
using Markdig.Renderers.Html;
using Markdig.Syntax;
using Markdig.Syntax.Inlines;

namespace NzbDav.Documents.Tests;

/// <summary>A Markdown page of the repository, parsed as GitHub parses it.</summary>
internal sealed class Page
{
    private static readonly MarkdownPipeline Pipeline = new MarkdownPipelineBuilder().UsePipeTables().UseAutoLinks()
        .UseAutoIdentifiers(AutoIdentifierOptions.GitHub).Build();

    /// <param name="path">Relative to the root, with forward slashes.</param>
    /// <param name="text">Its Markdown.</param>
    public Page(string path, string text)
    {
        Path = path;
        Text = text;
        var document = Markdown.Parse(text, Pipeline);
        Anchors = document.Descendants<HeadingBlock>().Select(heading => heading.GetAttributes().Id).OfType<string>()
            .ToHashSet(StringComparer.Ordinal);
        Links = [.. document.Descendants<LinkInline>().Where(link => !link.IsAutoLink && link.Url is not null)
            .Select(link => new Piece(link.Url!, link.Line + 1))];
        Spans = [.. document.Descendants<CodeInline>().Select(code => new Piece(code.Content, code.Line + 1))];
        Blocks = [.. document.Descendants<CodeBlock>().Select(block =>
            new Sample((block as FencedCodeBlock)?.Info ?? "", block.Lines.ToString(), block.Line + (block is FencedCodeBlock ? 2 : 1)))];
    }

    public string Path { get; }

    public string Text { get; }

    /// <summary>The anchors of its headings.</summary>
    public IReadOnlySet<string> Anchors { get; }

    /// <summary>Targets of links and pictures.</summary>
    public IReadOnlyList<Piece> Links { get; }

    /// <summary>Inline code.</summary>
    public IReadOnlyList<Piece> Spans { get; }

    public IReadOnlyList<Sample> Blocks { get; }

    /// <summary>The position of a fault.</summary>
    public string At(int line) => $"{Path}:{line}";

    /// <summary>The line of a character of <see cref="Text"/>, from 1.</summary>
    public int LineOf(int index) => Text.AsSpan(0, index).Count('\n') + 1;
}
