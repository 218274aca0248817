using System.Text;

namespace NzbDav.Usenet.Nzb;

/// <summary>Markup other than elements: comments, instructions, the declaration and the DOCTYPE.</summary>
internal sealed partial class NzbTokenizer
{
    /// <summary>Skips a comment, a processing instruction or a document type, if one is next.</summary>
    /// <param name="ended">True if the input ended inside it.</param>
    private bool TrySkipMarkup(out bool ended)
    {
        var window = input.Window;
        if (window.StartsWith("<!--"u8))
        {
            input.Consume("<!--".Length);
            ended = !SkipPast("-->"u8);
        }
        else if (window.StartsWith("<?"u8))
        {
            if (window.StartsWith("<?xml"u8))
                ReadDeclaration();
            ended = !SkipPast(">"u8);
        }
        else if (window.StartsWith("<!"u8) && !window.StartsWith("<![CDATA["u8))
        {
            ended = !SkipDoctype();
        }
        else
        {
            ended = false;
            return false;
        }

        if (ended)
            End();
        return true;
    }

    private void ReadDeclaration()
    {
        See(256);
        var end = input.Window.IndexOf((byte)'>');
        if (end < 0)
            return;

        // As a tag, "?xml" has no valid name: leave the question mark out.
        var declaration = new NzbTag();
        byte[] tag = [(byte)'<', .. input.Window[2..(end + 1)]];
        tag.AsSpan().Replace((byte)'?', (byte)' ');
        if (declaration.Parse(tag) is NzbTagStatus.Complete && declaration.TryGetAttribute(tag, "encoding"u8, out var name))
            DeclaredEncoding = Encoding.ASCII.GetString(name).Trim();
    }

    private bool SkipDoctype()
    {
        var skipper = default(NzbDoctypeSkipper);
        while (true)
        {
            input.Consume(skipper.Skip(input.Window, out var done));
            if (done)
                return true;
            if (!input.Fill())
                return false;
        }
    }
}
