package dev.kubeinformer.spring.reconciler.method;

import java.lang.reflect.Method;
import java.util.List;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.spring.bean.BeanMethods;

/**
 * Method of a bean that reconciles or cleans up.
 *
 * @param method the invocable method of the bean
 * @param arguments the arguments of the method
 */
public record RunMethod(Method method, List<RunArgument> arguments) {

	public Result call(Object bean, KubernetesObject object, Reconciliation<?> run) throws Exception {
		Object[] values = this.arguments.stream().map((argument) -> argument.of(object, run)).toArray();
		Object returned = BeanMethods.invoke(this.method, bean, values);
		if (this.method.getReturnType() == void.class) {
			return Result.done();
		}
		if (returned == null) {
			throw new IllegalStateException(
					"Method '%s.%s' returned null; return Result.done() if there is nothing left to do"
						.formatted(this.method.getDeclaringClass().getName(), this.method.getName()));
		}
		return (Result) returned;
	}

}
