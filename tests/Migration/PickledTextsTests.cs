using NzbDav.Migration.Sabnzbd;

namespace NzbDav.Migration.Tests;

/// <summary>SABnzbd's state of an unfinished download. The vectors were made by Python itself, from the same dictionary.</summary>
public sealed class PickledTextsTests
{
    private const string Second =
        "80027d710028580300000063617471015802000000747671025802000000707071034b03580600000073637269707471044e58080000007072696f7269747971054a9cffffff580a00000066696e616c5f6e616d657106580a000000576169" +
        "74696e6720c3a97107580800000070617373776f7264710858060000007365637265747109580300000075726c710a4e5806000000756e7061636b710b4b014b0286710c580700000063726561746564710d88580100000066710e473ff8" +
        "00000000000058010000006c710f5d711058010000006171116158010000006571127d7113752e";

    private const string Fifth =
        "8005959e000000000000007d94288c03636174948c027476948c027070944b038c06736372697074944e8c087072696f72697479944a9cffffff8c0a66696e616c5f6e616d65948c0a57616974696e6720c3a9948c0870617373776f7264" +
        "948c06736563726574948c0375726c944e8c06756e7061636b944b014b0286948c076372656174656494888c016694473ff80000000000008c016c945d948c016194618c0165947d94752e";

    [Theory]
    [InlineData(Second)]
    [InlineData(Fifth)]
    public void Texts_are_read_and_other_values_are_skipped(string hex)
    {
        var texts = PickledTexts.Read(Convert.FromHexString(hex));
        Assert.Equal(
            [("cat", "tv"), ("final_name", "Waiting \u00e9"), ("password", "secret")],
            texts.OrderBy(text => text.Key, StringComparer.Ordinal).Select(text => (text.Key, text.Value)));
    }

    [Theory]
    [InlineData(Second)]
    [InlineData(Fifth)]
    public void A_pickle_truncated_at_any_byte_is_refused(string hex)
    {
        var bytes = Convert.FromHexString(hex);
        for (var length = 0; length < bytes.Length; length++)
            Assert.Throws<InvalidDataException>(() => PickledTexts.Read(bytes[..length]));
    }

    [Theory]
    [InlineData("8004952b000000000000007d948c03636174948c0b636f6c6c656374696f6e73948c0b4f72646572656444696374949394295294732e")]
    [InlineData("80047529732e")]
    [InlineData("8004292e")]
    [InlineData("80045801ffffff2e")]
    public void A_pickle_that_names_a_class_or_is_not_a_dictionary_is_refused(string hex) =>
        Assert.Throws<InvalidDataException>(() => PickledTexts.Read(Convert.FromHexString(hex)));
}
