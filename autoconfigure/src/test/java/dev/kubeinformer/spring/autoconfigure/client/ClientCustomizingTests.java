package dev.kubeinformer.spring.autoconfigure.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.VersionApi;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.kubeinformer.Informers;
import dev.kubeinformer.fixtures.proxy.ScriptedProxy;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.cluster.InformerCustomizer;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of what applications may do about the client, and of clients of their own.
 */
@ExtendWith(OutputCaptureExtension.class)
class ClientCustomizingTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void customizersShouldBeAppliedInOrderAfterTheProperties() {
		this.runner.withUserConfiguration(Customizers.class)
			.withPropertyValues("kubernetes.client.user-agent=property/1")
			.run((context) -> {
				Informer<V1Pod> pods = context.getBean(Informers.class).informer(V1Pod.class);
				await().until(() -> pods.state() == InformerState.LIVE);
				assertThat(context.getBean(Customizers.class).calls).containsExactly("client first", "client second");
				assertThat(this.kubernetes.requests()).isNotEmpty().allSatisfy((request) -> {
					assertThat(request.header("User-Agent")).isEqualTo("second/1");
					assertThat(request.header("X-Intercepted")).isEqualTo("yes");
				});
			});
	}

	@Test
	void clientShouldFollowNoRedirects() {
		List<Boolean> following = new ArrayList<>();
		this.runner.withBean(ApiClientCustomizer.class, () -> (client) -> {
			following.add(client.getHttpClient().followRedirects());
			following.add(client.getHttpClient().followSslRedirects());
		}).run((context) -> {
			OkHttpClient client = context.getBean(ApiClient.class).getHttpClient();
			following.add(client.followRedirects());
			following.add(client.followSslRedirects());
		});
		assertThat(following).containsExactly(false, false, false, false);
	}

	@ParameterizedTest
	@ValueSource(strings = { "socks5://localhost:1", "https://localhost:1" })
	void proxyOfACustomizerShouldTakeThePlaceOfAnother(String former, CapturedOutput output) throws IOException {
		try (ScriptedProxy proxy = ScriptedProxy.plain(null)) {
			List<Proxy> proxies = List.of(Proxy.NO_PROXY,
					new Proxy(Proxy.Type.HTTP, new InetSocketAddress("localhost", proxy.port())));
			for (Proxy chosen : proxies) {
				this.runner.withPropertyValues("kubernetes.client.proxy=" + former)
					.withBean(ApiClientCustomizer.class,
							() -> (client) -> client
								.setHttpClient(client.getHttpClient().newBuilder().proxy(chosen).build()))
					.run((context) -> new VersionApi(context.getBean(ApiClient.class)).getCode().execute());
			}
			assertThat(this.kubernetes.requests()).hasSize(2);
			assertThat(proxy.asked()).hasSize(1);
		}
		assertThat(output).doesNotContain("by the proxy");
	}

	@Test
	void credentialsMayBeThoseOfACustomizer(@TempDir Path directory) throws IOException {
		Path kubeconfig = Files.writeString(directory.resolve("config"), """
				current-context: one
				contexts: [ { name: one, context: { cluster: one, user: me } } ]
				clusters: [ { name: one, cluster: { server: "https://localhost:1" } } ]
				users: [ { name: me, user: {} } ]
				""");
		ApplicationContextRunner bare = InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig);
		bare.run((context) -> assertThatException().isThrownBy(() -> context.getBean(ApiClient.class))
			.havingRootCause()
			.isInstanceOf(InformerConfigurationException.class)
			.withMessageStartingWith("The kubeconfig '%s'".formatted(kubeconfig)));
		bare.withBean(ApiClientCustomizer.class, () -> ClientCustomizingTests::authenticate)
			.run((context) -> assertThat(context.getBean(ApiClient.class).getBasePath())
				.isEqualTo("https://localhost:1"));
	}

	@Test
	void credentialsOfACustomizerThatOthersMayReadShouldBeReported(CapturedOutput output) {
		InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.client.url=http://10.0.0.1:80")
			.withBean(ApiClientCustomizer.class, () -> ClientCustomizingTests::authenticate)
			.run((context) -> context.getBean(ApiClient.class));
		assertThat(output)
			.containsOnlyOnce("credentials for the Kubernetes API are sent to http://10.0.0.1:80 without encryption")
			.doesNotContain("s3cret");
	}

	private static void authenticate(ApiClient client) {
		client.setApiKeyPrefix("Bearer");
		client.setApiKey("s3cret");
	}

	@Test
	void clientOfTheApplicationShouldNotBeCustomized() {
		ApiClient own = client();
		OkHttpClient before = own.getHttpClient();
		this.runner.withUserConfiguration(Customizers.class)
			.withPropertyValues("kubernetes.client.connect-timeout=3s")
			.withBean(ApiClient.class, () -> own)
			.run((context) -> {
				Informer<V1Pod> pods = context.getBean(Informers.class).informer(V1Pod.class);
				await().until(() -> pods.state() == InformerState.LIVE);
				assertThat(context.getBean(Customizers.class).calls).isEmpty();
				assertThat(own.getHttpClient()).isSameAs(before);
			});
	}

	@Test
	void httpClientThatACustomizerBringsShouldBeLeftOpen() {
		OkHttpClient shared = new OkHttpClient();
		this.runner
			.withBean(ApiClientCustomizer.class,
					() -> (client) -> client
						.setHttpClient(client.getHttpClient().newBuilder().dispatcher(shared.dispatcher()).build()))
			.run((context) -> assertThat(context.getBean(ApiClient.class).getHttpClient().dispatcher())
				.isSameAs(shared.dispatcher()));
		assertThat(shared.dispatcher().executorService().isShutdown()).isFalse();
		shared.dispatcher().executorService().shutdown();
	}

	@Test
	void informerCustomizersShouldHaveTheLastWordInOrder() {
		this.kubernetes.resources(V1Node.class).fill(25, (i) -> TestObjects.node("n" + i));
		this.runner.withUserConfiguration(Customizers.class)
			.withPropertyValues("kubernetes.informers.watch.list=paged", "kubernetes.informers.watch.page-size=10")
			.run((context) -> {
				Informer<V1Node> nodes = context.getBean(Informers.class).informer(V1Node.class);
				await().until(() -> nodes.lister().list().size() == 25);
				assertThat(this.kubernetes.requests()).filteredOn((request) -> request.isList())
					.extracting((request) -> request.parameter("limit"))
					.contains("7");
			});
	}

	@Test
	void propertiesThatAreNotUsedShouldBeNamedWithoutTheirValues(CapturedOutput output) {
		this.runner
			.withPropertyValues("kubernetes.client.url=http://s3cret:1", "kubernetes.client.token=s3cret",
					"kubernetes.client.ssl.bundle=s3cret", "kubernetes.client.user-agent=")
			.withBean(ApiClient.class, this::client)
			.run((context) -> {
				Informers informers = context.getBean(Informers.class);
				informers.informer(V1Pod.class);
				informers.stop();
				informers.start();
			});
		assertThat(output).containsOnlyOnce(
				"have no effect on it: kubernetes.client.url, kubernetes.client.token, kubernetes.client.ssl.bundle")
			.contains("WARN")
			.doesNotContain("s3cret", "user-agent");
	}

	@Test
	void propertiesThatAreUsedShouldNotBeReported(CapturedOutput output) {
		this.runner.withPropertyValues("kubernetes.client.user-agent=mine/1")
			.run((context) -> context.getBean(Informers.class).informer(V1Pod.class));
		InformerContextRunner.withoutCluster()
			.withBean(ApiClient.class, this::client)
			.run((context) -> context.getBean(Informers.class).informer(V1Pod.class));
		assertThat(output).doesNotContain("have no effect");
	}

	@Test
	void everyPropertyOfTheClientShouldBeReportedIfItIsNotUsed() throws Exception {
		List<String> names = new ArrayList<>();
		for (Resource metadata : new PathMatchingResourcePatternResolver()
			.getResources("classpath*:META-INF/spring-configuration-metadata.json")) {
			JsonNode properties = new JsonMapper().readTree(metadata.getInputStream()).get("properties");
			StreamSupport.stream(properties.spliterator(), false)
				.map((property) -> property.get("name").asString())
				.filter((name) -> name.startsWith("kubernetes.client."))
				.map((name) -> name.substring("kubernetes.client.".length()))
				.forEach(names::add);
		}

		assertThat(names).contains("allow-in-tests");
		names.remove("allow-in-tests");
		// The informers decide about protobuf, whichever client is used.
		names.remove("protobuf");
		assertThat(ClientPropertyNames.OF_CLIENT).containsExactlyInAnyOrderElementsOf(names);
	}

	@Test
	void primaryClientShouldBeUsed() {
		InformerContextRunner.withoutCluster()
			.withBean("other", ApiClient.class, ApiClient::new)
			.withBean("main", ApiClient.class, this::client, (definition) -> definition.setPrimary(true))
			.run((context) -> {
				Informer<V1Pod> pods = context.getBean(Informers.class).informer(V1Pod.class);
				await().until(() -> pods.state() == InformerState.LIVE);
			});
	}

	@Test
	void startWhenClientIsAmbiguousShouldNameTheBeans(CapturedOutput output) {
		SpringApplication application = new SpringApplication(TwoClients.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run(arguments()).close())
			.withRootCauseInstanceOf(InformerConfigurationException.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "but there are 2, none of them primary", "'blue'",
				"'green'", "@Primary", "defaultCandidate = false");
	}

	private ApiClient client() {
		return new ApiClient().setBasePath(this.kubernetes.url());
	}

	private static String[] arguments() {
		return Stream.of(InformerContextRunner.NO_CLUSTER).map("--"::concat).toArray(String[]::new);
	}

	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		private final List<String> calls = new ArrayList<>();

		@Bean
		@Order(2)
		ApiClientCustomizer second() {
			return (client) -> {
				this.calls.add("client second");
				client.setUserAgent("second/1");
			};
		}

		@Bean
		@Order(1)
		ApiClientCustomizer first() {
			return (client) -> {
				this.calls.add("client first");
				client.setUserAgent("first/1");
				client.setHttpClient(client.getHttpClient()
					.newBuilder()
					.addInterceptor((chain) -> chain
						.proceed(chain.request().newBuilder().header("X-Intercepted", "yes").build()))
					.build());
			};
		}

		@Bean
		@Order(2)
		InformerCustomizer smallPages() {
			return (builder) -> builder.pageSize(7);
		}

		@Bean
		@Order(1)
		InformerCustomizer largePages() {
			return (builder) -> builder.pageSize(1000);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	static class TwoClients {

		@Bean
		ApiClient blue() {
			return new ApiClient();
		}

		@Bean
		ApiClient green() {
			return new ApiClient();
		}

		@Bean
		PodHandler podHandler() {
			return new PodHandler();
		}

	}

	@InformerHandler
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

}
