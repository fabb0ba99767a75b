package io.pgstress.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.BulkSample;
import io.pgstress.report.HostsSample;
import io.pgstress.report.MoreSamples;
import io.pgstress.report.Samples;
import io.pgstress.result.Comparison;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.RunResult.LimitCheck;
import io.pgstress.text.Records;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Everything that is written is valid in the schema, which {@link #read} checks. */
final class JunitReportTest {
    private static final Path SCHEMA = Path.of("src/test/resources/report/junit.xsd");

    @Test
    void everyKindOfResultIsASuite() throws Exception {
        Document all = read(
                Samples.closed(),
                Samples.open(),
                Samples.nothing(),
                BulkSample.run(),
                HostsSample.threeHosts(),
                MoreSamples.comparison(),
                MoreSamples.scaling());

        assertThat(elements(all, "testsuite")).hasSize(7);
        for (Element suite : elements(all, "testsuite")) {
            assertThat(suite.getAttribute("tests"))
                    .isEqualTo(Integer.toString(
                            suite.getElementsByTagName("testcase").getLength()));
            for (String kind : List.of("failure", "error", "skipped")) {
                String attribute = kind.equals("skipped") ? kind : kind + "s";
                assertThat(suite.getAttribute(attribute))
                        .isEqualTo(Integer.toString(
                                suite.getElementsByTagName(kind).getLength()));
            }
        }
    }

    @Test
    void brokenLimitFailsWithTheMeasuredValue() throws Exception {
        RunResult run = Samples.closed()
                .withLimits(List.of(
                        new LimitCheck("p99>5ms", true, "p99 was 7.31 ms", 5000.0, null),
                        new LimitCheck("errors>0.1%", false, "errors was 0%", null, null)));

        Document all = read(run);

        assertThat(outcomes(all))
                .containsExactly("valid: passed", "p99>5ms: failure: p99 was 7.31 ms", "errors>0.1%: passed");
    }

    @Test
    void resultThatIsNotValidIsAnErrorWithAllReasons() throws Exception {
        RunResult run =
                Samples.closed().withRemarks(Samples.reasons("no operation succeeded", "a server was lost"), List.of());

        Document all = read(run);

        assertThat(outcomes(all)).containsExactly("valid: error: no operation succeeded");
        assertThat(elements(all, "error").get(0).getTextContent())
                .isEqualTo("CHECKS_REFUSED: no operation succeeded.\nCHECKS_REFUSED: a server was lost.");
    }

    @Test
    void comparisonHasEachLimitAndVerdictAndSkipsWhatIsUndecided() throws Exception {
        Comparison some = MoreSamples.comparison();
        List<Comparison.LimitCheck> limits = List.of(
                new Comparison.LimitCheck(
                        "ops<-3%", "extended", true, true, "-9.0%: the whole interval is beyond the limit"),
                new Comparison.LimitCheck("ops<-3%", "plain", true, false, "-0.5%: within the limit"),
                new Comparison.LimitCheck("p99>+5%", "plain", false, false, "unknown: too few operations or rounds"));
        List<Comparison.Effect> effects = some.effects().stream()
                .filter(e -> e.variant().equals("extended"))
                .toList();

        Document all = read(Records.with(Records.with(some, "limits", limits), "effects", effects));

        assertThat(outcomes(all))
                .containsExactly(
                        "valid: passed",
                        "extended: ops<-3%: failure: -9.0%: the whole interval is beyond the limit",
                        "plain: ops<-3%: passed",
                        "plain: p99>+5%: skipped: unknown: too few operations or rounds",
                        "extended compared with prepared: passed",
                        "plain compared with prepared: skipped: " + String.join(" ", some.verdict()));
    }

    @Test
    void charactersThatXmlDoesNotHaveAreEscaped() throws Exception {
        String reason = "XX000: \u001b[31m\"<a>\" & ]]>\tb\r\nc\u0000 \uD83D\uDE00 \uD83D \uFFFF";
        RunResult run = Samples.closed().withRemarks(Samples.reasons(reason), Samples.warnings("w\u0007"));

        Document all = read(run);

        String expected = "XX000: \\u001b[31m\"<a>\" & ]]>\tb\r\nc\\u0000 \uD83D\uDE00 \\ud83d \\uffff";
        assertThat(elements(all, "error").get(0).getAttribute("message")).isEqualTo(expected);
        assertThat(elements(all, "error").get(0).getTextContent()).isEqualTo("CHECKS_REFUSED: " + expected + ".");
        assertThat(elements(all, "system-out").get(0).getTextContent()).endsWith("warning: w\\u0007.");
    }

    @Test
    void namesTheVersionTheServerAndTheTimeAndTellsEqualTestsApart() throws Exception {
        Document all = read(Samples.closed(), Samples.closed());

        Element suite = elements(all, "testsuite").get(0);
        assertThat(suite.getAttribute("timestamp")).isEqualTo("2026-11-21T10:00:00");
        assertThat(elements(all, "property"))
                .extracting(p -> p.getAttribute("name") + "=" + p.getAttribute("value"))
                .contains(
                        "version=0.1.0",
                        "server=PostgreSQL 18.6 on x86_64-pc-linux-gnu, compiled by gcc, 64-bit",
                        "server.url=jdbc:postgresql://a/db",
                        "run=closed");
        assertThat(elements(all, "testsuite").get(1).getAttribute("name"))
                .isEqualTo(suite.getAttribute("name") + " (2)");
    }

    private static List<String> outcomes(Document all) {
        return elements(all, "testcase").stream().map(JunitReportTest::outcome).toList();
    }

    private static String outcome(Element testCase) {
        NodeList inside = testCase.getElementsByTagName("*");
        String name = testCase.getAttribute("name");
        if (inside.getLength() == 0) {
            return name + ": passed";
        }
        Element problem = (Element) inside.item(0);
        return name + ": " + problem.getTagName() + ": " + problem.getAttribute("message");
    }

    private static List<Element> elements(Document all, String name) {
        NodeList nodes = all.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }

    /** The report of these results, read by a parser and checked against the schema. */
    private static Document read(Result... results) throws Exception {
        StringBuilder out = new StringBuilder();
        new JunitReport().write(List.of(results), out);
        String xml = out.toString();
        SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                .newSchema(SCHEMA.toFile())
                .newValidator()
                .validate(new StreamSource(new StringReader(xml)));
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    }
}
