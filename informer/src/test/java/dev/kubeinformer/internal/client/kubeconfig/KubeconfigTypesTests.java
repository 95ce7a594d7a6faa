package dev.kubeinformer.internal.client.kubeconfig;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.types.ClientConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Types of fields as kubectl 1.36 decodes them.
 */
class KubeconfigTypesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					token: 12345                          | token                     | a text, but is a number
					token: yes                            | token                     | a text, but is true or false
					token: 1.5                            | token                     | a text, but is a number
					token: [ s3cret ]                     | token                     | a text, but is a list
					tokenFile: 1                          | tokenFile                 | a text, but is a number
					username: 1                           | username                  | a text, but is a number
					password: 1                           | password                  | a text, but is a number
					client-certificate: 1                 | client-certificate        | a text, but is a number
					client-certificate-data: 1            | client-certificate-data   | a text, but is a number
					client-key-data: { s3cret: 1 }        | client-key-data           | a text, but is a map
					client-key-data: [ s3cret ]           | client-key-data           | a text, but is a list
					client-key-data: [ 256 ]              | client-key-data           | a text, but is a list
					as: on                                | as                        | a text, but is true or false
					as-uid: 7                             | as-uid                    | a text, but is a number
					as-groups: s3cret                     | as-groups                 | a list, but is a text
					as-groups: [ a, 1 ]                   | as-groups[1]              | a text, but is a number
					as-user-extra: s3cret                 | as-user-extra             | a map, but is a text
					as-user-extra: { a: s3cret }          | as-user-extra.a           | a list, but is a text
					as-user-extra: { a: [ 1 ] }           | as-user-extra.a[0]        | a text, but is a number
					exec: s3cret                          | exec                      | a map, but is a text
					exec: { command: 1 }                  | exec.command              | a text, but is a number
					exec: { args: s3cret }                | exec.args                 | a list, but is a text
					exec: { args: [ a, 1 ] }              | exec.args[1]              | a text, but is a number
					exec: { env: { a: s3cret } }          | exec.env                  | a list, but is a map
					exec: { env: [ { name: a, value: 1 } ] } | exec.env[0].value      | a text, but is a number
					exec: { provideClusterInfo: 'yes' }   | exec.provideClusterInfo   | true or false without quotes, but is a text
					exec: { apiVersion: 1 }               | exec.apiVersion           | a text, but is a number
					exec: { interactiveMode: no }         | exec.interactiveMode      | a text, but is true or false
					exec: { installHint: 1 }              | exec.installHint          | a text, but is a number
					auth-provider: s3cret                 | auth-provider             | a map, but is a text
					auth-provider: { name: 1 }            | auth-provider.name        | a text, but is a number
					auth-provider: { config: { a: 1 } }   | auth-provider.config.a    | a text, but is a number
					extensions: s3cret                    | extensions                | a list, but is a text
					extensions: [ { name: 1 } ]           | extensions[0].name        | a text, but is a number
					""")
	void fieldOfAUserWithAnotherTypeShouldBeRefused(String user, String field, String problem) {
		assertRefused(KubeconfigText.ofUser(user),
				"The kubeconfig, user 'me', field '%s', must be %s".formatted(field, problem));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					server: 1                             | server                    | a text, but is a number
					insecure-skip-tls-verify: 'true'      | insecure-skip-tls-verify  | true or false without quotes, but is a text
					insecure-skip-tls-verify: 1           | insecure-skip-tls-verify  | true or false without quotes, but is a number
					disable-compression: s3cret           | disable-compression       | true or false without quotes, but is a text
					tls-server-name: 1                    | tls-server-name           | a text, but is a number
					certificate-authority: 1              | certificate-authority     | a text, but is a number
					proxy-url: 1                          | proxy-url                 | a text, but is a number
					""")
	void fieldOfAClusterWithAnotherTypeShouldBeRefused(String cluster, String field, String problem) {
		assertRefused(KubeconfigText.ofCluster(cluster),
				"The kubeconfig, cluster 'west', field '%s', must be %s".formatted(field, problem));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					contexts: s3cret                           | field 'contexts', must be a list, but is a text
					contexts: { name: s3cret }                 | field 'contexts', must be a list, but is a map
					contexts: [ s3cret ]                       | field 'contexts[0]', must be a map, but is a text
					contexts: [ { name: 2024 } ]               | field 'contexts[0].name', must be a text, but is a number
					contexts: [ { name: a, context: s3cret } ] | field 'contexts[0].context', must be a map, but is a text
					current-context: [ s3cret ]                | field 'current-context', must be a text, but is a list
					current-context: 1                         | field 'current-context', must be a text, but is a number
					clusters: s3cret                           | field 'clusters', must be a list, but is a text
					users: [ ~, { user: 1 } ]                  | field 'users[1].user', must be a map, but is a number
					users: [ { name: a }, { name: a } ]        | field 'users', has two entries with the name 'a'
					users: [ ~, ~ ]                            | field 'users', has two entries with the name ''
					clusters: [ { name: a }, { name: a } ]     | field 'clusters', has two entries with the name 'a'
					contexts: [ { name: a }, { name: a } ]     | field 'contexts', has two entries with the name 'a'
					extensions: [ { name: a }, { name: a } ]   | field 'extensions', has two entries with the name 'a'
					preferences: s3cret                        | field 'preferences', must be a map, but is a text
					preferences: { colors: s3cret }            | field 'preferences.colors', must be true or false without quotes, but is a text
					kind: Pod                                  | field 'kind', must be 'Config', but is 'Pod'
					kind: config                               | field 'kind', must be 'Config', but is 'config'
					Kind: Pod                                  | field 'kind', must be 'Config', but is 'Pod'
					apiVersion: v2                             | field 'apiVersion', must be 'v1', but is 'v2'
					apiVersion: v1/                            | field 'apiVersion', must be 'v1', but is 'v1/'
					apiVersion: 1                              | field 'apiVersion', must be a text, but is a number
					""")
	void fieldOfTheKubeconfigWithAnotherTypeShouldBeRefused(String yaml, String problem) {
		assertRefused(yaml, "The kubeconfig, " + problem);
	}

	@ParameterizedTest
	@ValueSource(strings = { "s3cret", "[ s3cret ]", "12345" })
	void whatIsNotAMapShouldBeRefused(String yaml) {
		assertRefused(yaml, "The kubeconfig is YAML, but not a kubeconfig: it must be a map of fields");
	}

	private static void assertRefused(String yaml, String message) {
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> parse(yaml))
			.withMessage(message)
			.withNoCause()
			.satisfies((failure) -> assertThat(failure.getAction()).isNotEmpty().doesNotContain("s3cret"));
	}

	private static ClusterAccess parse(String yaml) {
		return Kubeconfigs.parse(yaml, "The kubeconfig");
	}

	@ParameterizedTest
	@ValueSource(strings = { "unknown: [ 1 ]", "apiVersion: v1", "apiVersion: /v1", "apiVersion: ''", "kind: Config",
			"kind: ~", "preferences: ~", "preferences: { colors: yes, x: 1 }",
			"extensions: [ { name: a, extension: 1 } ]" })
	void fieldThatKubectlDoesNotMindShouldBeIgnored(String field) {
		assertThat(parse(KubeconfigText.ofUser("token: abc, unknown: 1") + field).user().token()).isEqualTo("abc");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Token: abc", "token: ~", "token: ''", "token: ' '", "TOKEN: abc", "password: abc" })
	void userWithoutAUsableFieldShouldHaveNoCredentials(String user) {
		assertThat(parse(KubeconfigText.ofUser(user)).user()).isEqualTo(ClusterAccess.User.anonymous());
	}

	@Test
	void entryThatIsNotUsedShouldBeDecodedButNotVerified() {
		String other = "users: [ { name: me, user: { token: abc } }, { name: other, user: { %s } } ]";
		String yaml = KubeconfigText.ofUser("");
		assertThat(parse(yaml + other.formatted("exec: {}, as-uid: x, client-certificate: missing")).user().token())
			.isEqualTo("abc");
		assertRefused(yaml + other.formatted("client-certificate-data: '!'"),
				"The kubeconfig, user 'other', field 'client-certificate-data', is not valid base64");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			YWJj            | abc
			YWI=            | ab
			"YW\\r\\nJj\\n" | abc
			AAB=            | 0 0
			[ 97, 98 ]      | ab
			""")
	void dataShouldBeDecodedAsGoDoes(String data, String text) {
		assertThat(data(data)).isEqualTo(text.replace("0 0", "\0\0"));
	}

	private static String data(String data) {
		ClusterAccess access = parse(
				KubeconfigText.ofCluster(KubeconfigText.CLUSTER + ", certificate-authority-data: " + data));
		Content.Inline content = (Content.Inline) Objects.requireNonNull(access.server().authority());
		assertThat(content.field()).isEqualTo("certificate-authority-data");
		assertThat(content.place()).isEqualTo("The kubeconfig, cluster 'west'");
		return content.text();
	}

	@ParameterizedTest
	@ValueSource(strings = { "s3cret", "YWI", "YW Jj", "YW-_", "Y", "YWI=YWI=", "YWJj=" })
	void dataThatIsNotBase64ShouldBeRefused(String data) {
		List<String> fields = new ArrayList<>(List.of("client-certificate-data", "client-key-data"));
		for (String field : fields) {
			assertRefused(KubeconfigText.ofUser("%s: '%s'".formatted(field, data)),
					"The kubeconfig, user 'me', field '%s', is not valid base64".formatted(field));
		}
		assertRefused(KubeconfigText.ofCluster("certificate-authority-data: '%s'".formatted(data)),
				"The kubeconfig, cluster 'west', field 'certificate-authority-data', is not valid base64");
	}

	@Test
	void dataThatIsPemShouldSaySo() {
		assertRefused(KubeconfigText.ofUser("client-key-data: '-----BEGIN PRIVATE KEY-----'"),
				"The kubeconfig, user 'me', field 'client-key-data', is PEM, but must be PEM that is encoded in base64");
	}

	@Test
	void contextThatLooksLikeADateShouldBeFound() {
		assertThat(parse("""
				current-context: 2024-01-01
				contexts: [ { name: 2024-01-01, context: { cluster: 2024-01-02 } } ]
				clusters: [ { name: 2024-01-02, cluster: { server: "https://host" } } ]
				""").origin()).isEqualTo("kubeconfig, context '2024-01-01'");
	}

}
