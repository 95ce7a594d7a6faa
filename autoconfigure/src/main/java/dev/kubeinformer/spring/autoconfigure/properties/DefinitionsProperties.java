package dev.kubeinformer.spring.autoconfigure.properties;

import java.time.Duration;
import java.util.List;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.PropertyRanges;

/**
 * Properties of the CustomResourceDefinitions of an application's own resources.
 *
 * @param apply Whether the application applies the CustomResourceDefinitions of its
 * classes with @KubernetesResource before its informers start, in each of its clusters.
 * It needs the dependency kubernetes-informer-definitions.
 * @param timeout Longest time to apply the definitions in a cluster and to wait until
 * they are established. At most 60s.
 * @param acceptBreakingChanges Names of the definitions, such as widgets.example.com, of
 * which a change is applied even if it breaks stored objects or clients, or if only
 * others have applied the definition; '*' for all.
 * @param exclude Names of the definitions, such as certificates.cert-manager.io, that the
 * application does not apply because others own them.
 */
@ConfigurationProperties(DefinitionsProperties.PREFIX)
public record DefinitionsProperties(@DefaultValue("false") Boolean apply, @DefaultValue("30s") Duration timeout,
		@DefaultValue List<String> acceptBreakingChanges,
		@DefaultValue List<String> exclude) implements InitializingBean {

	/** Prefix of the properties. */
	public static final String PREFIX = "kubernetes.definitions";

	/** Name of the property that turns the definitions on. */
	public static final String APPLY = PREFIX + ".apply";

	/** Name of the property of the time limit. */
	public static final String TIMEOUT = PREFIX + ".timeout";

	/** Name of the property of the accepted changes. */
	public static final String ACCEPT = PREFIX + ".accept-breaking-changes";

	/** Name of the property of the definitions that others own. */
	public static final String EXCLUDE = PREFIX + ".exclude";

	/**
	 * Maximum time limit. Informers wait slightly longer for their client
	 * (RuntimeHolder).
	 */
	private static final Duration LONGEST = Duration.ofSeconds(60);

	/**
	 * Checks the ranges of the properties.
	 * @throws InvalidPropertyValueException if a value is out of range
	 */
	@Override
	public void afterPropertiesSet() {
		new PropertyRanges(PREFIX).moreThanZero("timeout", this.timeout, LONGEST);
	}

	/**
	 * Returns whether a breaking change of a definition is applied.
	 * @param definition the name of the definition
	 * @return {@code true} if the change is accepted
	 */
	public boolean accepts(String definition) {
		return this.acceptBreakingChanges.contains("*") || this.acceptBreakingChanges.contains(definition);
	}

}
