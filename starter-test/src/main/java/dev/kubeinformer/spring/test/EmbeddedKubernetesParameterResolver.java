package dev.kubeinformer.spring.test;

import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.beans.factory.annotation.ParameterResolutionDelegate;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.junit.jupiter.SpringExtension;
import org.springframework.test.context.support.TestConstructorUtils;

import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * {@link ParameterResolver} of {@link EmbeddedKubernetesTest @EmbeddedKubernetesTest} for
 * the same parameters as the extension of plain JUnit tests. It leaves autowired
 * parameters to Spring.
 */
class EmbeddedKubernetesParameterResolver implements ParameterResolver {

	@Override
	public boolean supportsParameter(ParameterContext parameterContext, ExtensionContext extensionContext) {
		Class<?> type = parameterContext.getParameter().getType();
		return (type == EmbeddedKubernetes.class || type == ApiResources.class || type == ApiClient.class)
				&& !isAutowired(parameterContext, extensionContext) && TestContextAnnotationUtils
					.hasAnnotation(extensionContext.getRequiredTestClass(), EmbeddedKubernetesTest.class);
	}

	private static boolean isAutowired(ParameterContext parameterContext, ExtensionContext extensionContext) {
		Parameter parameter = parameterContext.getParameter();
		return ParameterResolutionDelegate.isAutowirable(parameter, parameterContext.getIndex())
				|| TestConstructorUtils.isAutowirableConstructor(parameter.getDeclaringExecutable(),
						(property) -> extensionContext.getConfigurationParameter(property).orElse(null));
	}

	@Override
	public Object resolveParameter(ParameterContext parameterContext, ExtensionContext extensionContext) {
		ApplicationContext context = SpringExtension.getApplicationContext(extensionContext);
		Parameter parameter = parameterContext.getParameter();
		if (parameter.getType() == ApiResources.class) {
			return context.getBean(EmbeddedKubernetes.class).resources(model(parameter));
		}
		return context.getBean(parameter.getType());
	}

	private static Class<? extends KubernetesObject> model(Parameter parameter) {
		if (parameter.getParameterizedType() instanceof ParameterizedType type
				&& type.getActualTypeArguments()[0] instanceof Class<?> model) {
			return model.asSubclass(KubernetesObject.class);
		}
		throw new IllegalArgumentException(
				"The parameter '%s' must name its model, as ApiResources<V1Pod> does".formatted(parameter));
	}

}
