package dev.kubeinformer.docs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import javax.xml.parsers.DocumentBuilderFactory;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the XML of each page is well-formed, and that the dependencies in it exist:
 * ours in the version of the project, others without a version where Spring Boot manages
 * them.
 */
@Tag("once")
class XmlBlocksTests {

	private static final String GROUP = "dev.kubeinformer";

	static List<Page> pages() throws IOException {
		return Page.with("xml");
	}

	@ParameterizedTest
	@MethodSource("pages")
	void dependenciesShouldExist(Page page) throws Exception {
		assertThat(problems(page)).isEmpty();
	}

	@Test
	void mistakesShouldBeFound() throws Exception {
		assertThat(problems(page(GROUP, "kubernetes-informer-starter", ""))).singleElement()
			.asString()
			.startsWith("page.md:2: there is no module");
		assertThat(problems(page(GROUP, "kubernetes-informer-test", "<version>0.0.9</version>"))).singleElement()
			.asString()
			.contains("not 0.0.9");
		assertThat(problems(page("org.example", "unknown", ""))).singleElement().asString().contains("needs a version");
		assertThat(problems(page("org.awaitility", "awaitility", ""))).isEmpty();
	}

	private static Page page(String group, String artifact, String version) {
		return Page.of(Path.of("page.md"),
				"```xml\n<dependency><groupId>%s</groupId><artifactId>%s</artifactId>%s</dependency>\n```\n"
					.formatted(group, artifact, version));
	}

	private static List<String> problems(Page page) throws Exception {
		List<String> wrong = new ArrayList<>();
		Set<String> managed = artifacts(Path.of(System.getProperty("boot.dependencies")), false);
		Set<String> ours = ours();
		for (Block block : page.blocks("xml")) {
			for (Element dependency : elements(parse(block.code()), "dependency")) {
				String problem = problem(dependency, ours, managed);
				if (problem != null) {
					wrong.add(block + ": " + problem);
				}
			}
		}
		return wrong;
	}

	private static @Nullable String problem(Element dependency, Set<String> ours, Set<String> managed) {
		String group = child(dependency, "groupId");
		String artifact = child(dependency, "artifactId");
		String version = child(dependency, "version");
		if (group.equals(GROUP)) {
			if (!ours.contains(artifact)) {
				return "there is no module '%s'".formatted(artifact);
			}
			String current = System.getProperty("project.version");
			return (version.isEmpty() || version.startsWith("${") || version.equals(current)) ? null
					: "the version is %s, not %s".formatted(current, version);
		}
		return (version.isEmpty() && !managed.contains(artifact))
				? "Spring Boot manages no '%s': it needs a version".formatted(artifact) : null;
	}

	/**
	 * The artifacts of the modules.
	 */
	private static Set<String> ours() throws Exception {
		Set<String> ours = new TreeSet<>();
		Element root = parse(withoutDeclaration(Files.readString(Page.ROOT.resolve("pom.xml"))));
		for (Element module : elements(root, "module")) {
			ours.addAll(artifacts(Page.ROOT.resolve(module.getTextContent()).resolve("pom.xml"), true));
		}
		return ours;
	}

	private static Set<String> artifacts(Path pom, boolean own) throws Exception {
		Set<String> artifacts = new TreeSet<>();
		Element document = parse(withoutDeclaration(Files.readString(pom)));
		for (Element artifact : elements(document, "artifactId")) {
			if (!own || artifact.getParentNode().getNodeName().equals("project")) {
				artifacts.add(artifact.getTextContent().strip());
			}
		}
		return artifacts;
	}

	private static String withoutDeclaration(String xml) {
		return xml.replaceFirst("<\\?xml[^>]*>", "");
	}

	/**
	 * Parses elements, of which there may be several at the top.
	 */
	private static Element parse(String xml) throws Exception {
		String whole = "<page>" + withoutDeclaration(xml) + "</page>";
		Document document = DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new ByteArrayInputStream(whole.getBytes(StandardCharsets.UTF_8)));
		return document.getDocumentElement();
	}

	private static List<Element> elements(Element parent, String name) {
		NodeList found = parent.getElementsByTagName(name);
		List<Element> elements = new ArrayList<>();
		for (int i = 0; i < found.getLength(); i++) {
			elements.add((Element) found.item(i));
		}
		return elements;
	}

	private static String child(Element parent, String name) {
		for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
			if (child.getNodeName().equals(name)) {
				return child.getTextContent().strip();
			}
		}
		return "";
	}

}
