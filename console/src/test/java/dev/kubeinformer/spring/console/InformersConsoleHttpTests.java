package dev.kubeinformer.spring.console;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.http.HttpHeaders;

import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what the console answers over HTTP, on both web stacks.
 */
class InformersConsoleHttpTests {

	private static final Pattern LINKS = Pattern.compile("(?:href|src)=\"([^\"]+)\"");

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private ConsoleApplication application;

	@AfterEach
	void close() {
		if (this.application != null) {
			this.application.close();
		}
		this.kubernetes.close();
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void pageShouldLeadToAllOfItsFilesWithAndWithoutASlash(WebApplicationType type) {
		run(type);
		for (String address : List.of("/actuator/informersconsole", "/actuator/informersconsole/")) {
			assertPageIsComplete(this.application.url(address));
		}
		assertHeaders();
		assertThat(this.application.<String>read(this.application.url("/actuator"), "$._links.informersconsole.href"))
			.endsWith("/actuator/informersconsole");
		assertThat(this.application.get(this.application.url("/actuator/informersconsole/other.js")).statusCode())
			.isEqualTo(404);
		assertThat(this.application
			.get(this.application.url("/actuator/informersconsole/..%2fInformersConsoleEndpoint.class"))
			.statusCode()).isBetween(400, 499);
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void consoleShouldBeOnTheManagementPortUnderItsBasePath(WebApplicationType type) {
		run(type, "management.server.port=0", "management.server.base-path=/ops",
				"management.endpoints.web.base-path=/manage",
				"management.endpoints.web.path-mapping.informersconsole=kubernetes/console");
		String console = this.application.url("management", "/ops/manage/kubernetes/console");
		assertPageIsComplete(console);
		assertPageIsComplete(console + "/");
		assertThat(settings(console)).containsEntry("endpoint", "../../informers");
		assertThat(this.application.get(console).headers().firstValue("Content-Security-Policy")).isPresent();
		assertThat(this.application.get(this.application.url("/ops/manage/kubernetes/console")).statusCode())
			.isEqualTo(404);
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	@Tag("slow")
	void consoleShouldWorkAtTheRootOfAManagementPort(WebApplicationType type) {
		run(type, "management.server.port=0", "management.endpoints.web.base-path=/",
				"management.endpoints.web.path-mapping.informersconsole=/");
		String console = this.application.url("management", "/");
		assertPageIsComplete(console);
		assertThat(settings(console)).containsEntry("endpoint", "informers");
		assertThat(this.application.get(console).headers().firstValue("Content-Security-Policy")).isPresent();
	}

	@Test
	void consoleShouldKnowWhetherTheEndpointTakesActions() {
		run(WebApplicationType.SERVLET, "spring.application.name=Shop Front");
		String console = this.application.url("/actuator/informersconsole/");
		assertThat(settings(console)).containsOnly(Map.entry("application", "Shop Front"),
				Map.entry("endpoint", "../informers"), Map.entry("writable", false));
		this.application.close();
		run(WebApplicationType.SERVLET, ConsoleApplication.WRITABLE);
		console = this.application.url("/actuator/informersconsole/");
		assertThat(settings(console)).containsEntry("writable", true).containsEntry("endpoint", "../informers");
		this.application.close();
		run(WebApplicationType.SERVLET, ConsoleApplication.WRITABLE,
				"management.endpoints.access.max-permitted=read-only");
		console = this.application.url("/actuator/informersconsole/");
		assertThat(settings(console)).containsEntry("writable", false);
	}

	@Test
	void consoleShouldKnowThatTheEndpointIsNotExposed() {
		run(WebApplicationType.SERVLET, "management.endpoints.web.exposure.include=informersconsole");
		assertThat(settings(this.application.url("/actuator/informersconsole/"))).containsOnlyKeys("writable")
			.containsEntry("writable", false);
	}

	/**
	 * The headers keep others out, of this endpoint and of no other.
	 */
	private void assertHeaders() {
		for (String address : List.of("", "/", "/console.js", "/console.css", "/config.json")) {
			HttpResponse<String> answer = this.application
				.get(this.application.url("/actuator/informersconsole" + address));
			assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow()).as(address)
				.startsWith("default-src 'self';")
				.contains("frame-ancestors 'self'")
				.doesNotContain("unsafe");
			assertThat(answer.headers().firstValue("X-Content-Type-Options")).as(address).hasValue("nosniff");
			assertThat(answer.headers().allValues(HttpHeaders.CACHE_CONTROL)).as(address).containsExactly("no-cache");
		}
		assertThat(this.application.get(this.application.url("/actuator/informers"))
			.headers()
			.firstValue("Content-Security-Policy")).isEmpty();
	}

	private void assertPageIsComplete(String address) {
		HttpResponse<String> page = this.application.get(address, "text/html,application/xhtml+xml,*/*;q=0.8");
		assertThat(page.statusCode()).as(address).isEqualTo(200);
		assertThat(contentType(page)).isEqualTo("text/html;charset=utf-8");
		List<String> links = LINKS.matcher(page.body()).results().map((result) -> result.group(1)).toList();
		assertThat(links).hasSizeGreaterThan(3);
		List<String> types = new ArrayList<>();
		for (String link : links) {
			HttpResponse<String> file = this.application.get(page.uri().resolve(link).toString());
			assertThat(file.statusCode()).as(link).isEqualTo(200);
			assertThat(file.body()).as(link).isNotEmpty();
			types.add(contentType(file));
		}
		assertThat(types).contains("text/javascript;charset=utf-8", "text/css;charset=utf-8",
				"image/svg+xml;charset=utf-8");
	}

	private Map<String, Object> settings(String console) {
		return this.application.read(console + (console.endsWith("/") ? "" : "/") + "config.json", "$");
	}

	private static String contentType(HttpResponse<String> answer) {
		return answer.headers().firstValue(HttpHeaders.CONTENT_TYPE).orElse("").toLowerCase().replace(" ", "");
	}

	private void run(WebApplicationType type, String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.add("kubernetes.client.url=" + this.kubernetes.url());
		this.application = ConsoleApplication.run(type, List.of(), all.toArray(String[]::new));
	}

}
